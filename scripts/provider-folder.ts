import { callOperations } from "../src/core/call.ts";
import { mediaKinds } from "../src/core/kinds.ts";
import { adapters, jobAdapters } from "../src/providers/index.ts";
import type { JobAdapter } from "../src/providers/job/job.ts";
import { providerPage, tasksOf } from "./provider-page.ts";

const begin = "<!-- table: written by `node run.mjs scripts/provider-pages.ts --write` -->";
const end = "<!-- end of table -->";

/** Every generated page of docs/providers by its file's name, and the index with its table as it should be. */
export function providerPages(index: string): Map<string, string> {
  const pages = new Map(jobAdapters.map((adapter) => [`${adapter.type}.md`, providerPage(adapter, callsOf(adapter))]));
  const [before, , after] = index.split(new RegExp(`${begin}|${end}`));
  if (after === undefined) throw new Error("docs/providers/index.md has no place for the table");
  return pages.set("index.md", `${before}${begin}\n\n${table()}\n\n${end}${after}`);
}

/** What the same type answers at once. */
function callsOf({ type }: JobAdapter): string[] {
  const settings = { name: type, baseUrl: "https://upstream.example", allowPrivateNetwork: false, options: {} };
  const calls = adapters.find((adapter) => adapter.type === type)?.create(settings).calls;
  return callOperations.filter((name) => calls?.[name] !== undefined);
}

function table(): string {
  const rows = jobAdapters
    .toSorted((a, b) => a.type.localeCompare(b.type))
    .map((adapter) => {
      const { type, about, spec, needsKey, defaultBaseUrl } = adapter;
      const tasks = tasksOf(adapter);
      const cells = [
        `[\`${type}\`](${type}.md)`,
        about.title,
        mediaKinds.filter((kind) => spec.models[kind]).join(", "),
        defaultBaseUrl === undefined ? "must be given" : `\`${defaultBaseUrl}\``,
        needsKey ? "needed" : spec.auth === "none" ? "none" : "optional",
        spec.hears ? "yes" : "",
        tasks.cancel ? (spec.cancel?.from.includes("running") === false ? "while it waits" : "yes") : "",
      ];
      return `| ${cells.join(" | ")} |`;
    });
  return `| type | upstream | serves | \`base_url\` | key | callbacks | stops a job |\n|---|---|---|---|---|---|---|\n${rows.join("\n")}`;
}
