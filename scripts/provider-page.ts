import { mediaKinds, type MediaKind } from "../src/core/kinds.ts";
import type { KindLimits, PictureLimits, TaskProvider } from "../src/core/provider.ts";
import type { JobAdapter } from "../src/providers/job/job.ts";
import type { JobSpec } from "../src/providers/job/spec.ts";
import { configurationOf } from "./provider-configuration.ts";
import { signatureOf } from "./provider-signature.ts";
import { sentFields } from "./sent-fields.ts";

/** What a provider of this type can do, whatever its settings. */
export function tasksOf(adapter: JobAdapter): TaskProvider {
  return adapter.create({ name: adapter.type, baseUrl: "https://upstream.example", allowPrivateNetwork: false, options: {} }).tasks;
}

/** The page of one type of provider, made of what its adapter says. */
export function providerPage(adapter: JobAdapter, callOperations: readonly string[]): string {
  const { about, spec } = adapter;
  const tasks = tasksOf(adapter);
  const parts = [
    `# ${about.title}`,
    "<!-- Written by `node run.mjs scripts/provider-pages.ts --write` from the adapter; change that one instead. -->",
    about.summary,
    factsOf(adapter, tasks, callOperations),
    `## Configure\n\n\`\`\`yaml\n${configurationOf(adapter)}\`\`\``,
    "The prices are examples of what your clients might pay. Genway does not know what this upstream asks of you: set your own.",
    ...optionsOf(about.options),
    `## What it serves`,
    ...mediaKinds.flatMap((kind) => (spec.models[kind] ? servedOf(spec, kind) : [])),
    ...picturesOf(spec.pictures),
    ...callbacksOf(spec),
    ...unconfirmedOf(about.unconfirmed),
    `What holds for every type: [providers](index.md).`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function factsOf(adapter: JobAdapter, tasks: TaskProvider, callOperations: readonly string[]): string {
  const { spec, type, defaultBaseUrl } = adapter;
  const { patience: { startSeconds = 60, pollSeconds = 20 } = {}, usualLimits: { concurrent = 100, perMinute } = {} } = spec;
  const kinds = mediaKinds.filter((kind) => spec.models[kind]);
  const instant = kinds.filter((kind) => isInstant(spec, kind));
  const asked = `at most every ${seconds(spec.pollEveryMs)}${tasks.pollMany ? `, up to ${tasks.pollMany.max} jobs in one question` : ""}`;
  const rows = [
    ["type", `\`${type}\``],
    ["serves", kinds.join(", ")],
    ...(callOperations.length > 0 ? [["also answers", `${callOperations.join(", ")}, as [calls](calls.md)`]] : []),
    ["`base_url`", defaultBaseUrl === undefined ? "must be given" : `\`${defaultBaseUrl}\` unless given`],
    ["key", keyOf(spec)],
    [
      "answers a start with",
      instant.length === kinds.length
        ? "the result itself"
        : instant.length > 0
          ? `the result itself for ${instant.join(", ")}, else a job`
          : "a job",
    ],
    ...(tasks.poll ? [["asked about a job", asked]] : []),
    ["waits for an answer", `${startSeconds} s to a start${tasks.poll ? `, ${pollSeconds} s to a question` : ""}`],
    ["tells when a job changes", spec.hears ? "yes, see [callbacks](#callbacks)" : "no"],
    ["stops a job", stopsOf(spec, tasks)],
    ["after a crash in the middle of sending", recoveries[tasks.recovery]],
    [
      "at the same time, for each key",
      `${concurrent} ${concurrent === 1 ? "task" : "tasks"}${perMinute ? ` and ${perMinute} starts a minute` : ""} unless \`limits\` says otherwise`,
    ],
  ];
  return `| | |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n")}`;
}

/** Whether the reply to a start is the result, for every way of a kind. */
function isInstant({ start }: JobSpec, kind: MediaKind): boolean {
  return start.filter((way) => way.kind === kind).every(({ answers = "job" }) => answers !== "job");
}

function keyOf({ auth, keyOptional = false }: JobSpec): string {
  if (auth === "none") return "none";
  const optional = keyOptional ? ", optional" : "";
  if (auth === undefined) return `a bearer token${optional}`;
  if ("query" in auth) return `in the query, as \`${auth.query}\`${optional}`;
  const made = auth.token ? ", worked out from the key" : "";
  return `in the header \`${auth.header.toLowerCase()}\`${auth.prefix ? ` after \`${auth.prefix.trim()}\`` : ""}${made}${optional}`;
}

const recoveries: Record<TaskProvider["recovery"], string> = {
  lookup: "the upstream is asked whether it has the job",
  repeat: "the job is begun again",
  none: "the outcome is unknown: not sent again, not charged, [shown to the operator](../operate.md#outcomes-that-nobody-knows)",
};

function stopsOf({ cancel }: JobSpec, tasks: TaskProvider): string {
  if (tasks.cancel === undefined) return "no: a task that is cancelled after its start is charged";
  if (cancel && !cancel.from.includes("running")) return "while it waits; one that runs cannot be stopped, and is charged";
  return "while it waits or runs";
}

function optionsOf(options: Readonly<Record<string, string>> | undefined): string[] {
  if (options === undefined) return [];
  const rows = Object.entries(options).map(([name, meaning]) => `| \`options.${name}\` | ${meaning} |`);
  return [`| setting of the provider | meaning |\n|---|---|\n${rows.join("\n")}`];
}

function servedOf(spec: JobSpec, kind: MediaKind): string[] {
  const { named, further, all } = sentFields(spec, kind);
  const more = all
    ? " Further fields of a request are sent along by their names."
    : further.length > 0
      ? ` Of its further fields: ${further.map((name) => `\`${name}\``).join(", ")}.`
      : "";
  const sent = named.length > 0 ? `Sent of a request: ${named.join(", ")}.${more}` : "";
  return [`### ${kind[0]?.toUpperCase()}${kind.slice(1)}`, ...modelsOf(spec.models[kind] ?? {}), ...(sent === "" ? [] : [sent])];
}

type Column = { head: string; cell: (limits: KindLimits) => string };

const columns: readonly Column[] = [
  { head: "seconds", cell: ({ durations }) => (durations === undefined ? "" : secondsOf(durations)) },
  { head: "aspect ratios", cell: ({ aspectRatios = [] }) => aspectRatios.join(", ") },
  { head: "prompt", cell: ({ promptCharacters: most }) => (most === undefined ? "" : `${most.toLocaleString("en-US")} characters`) },
  { head: "needs a picture", cell: ({ needsImage = false }) => (needsImage ? "yes" : "") },
  { head: "can", cell: ({ acts = [] }) => acts.join(", ") },
  { head: "at once", cell: ({ count }) => (count === undefined ? "" : `${count} ${count === 1 ? "picture" : "pictures"}`) },
];

function secondsOf(durations: NonNullable<KindLimits["durations"]>): string {
  return "min" in durations ? `${durations.min} to ${durations.max}` : durations.join(", ");
}

/** The table of a kind's models; only what some model says has a column. */
function modelsOf(models: Readonly<Record<string, KindLimits>>): string[] {
  const shown = columns.filter(({ cell }) => Object.values(models).some((limits) => cell(limits) !== ""));
  if (shown.length === 0) return ["Any model of the upstream, by its name there."];
  const only = Object.keys(models).length === 1;
  const rows = Object.entries(models).map(([name, limits]) => {
    const called = name === "*" ? (only ? "any" : "any other") : `\`${name}\``;
    return `| ${called} | ${shown.map(({ cell }) => cell(limits)).join(" | ")} |`;
  });
  return [`| model | ${shown.map(({ head }) => head).join(" | ")} |\n|${"---|".repeat(shown.length + 1)}\n${rows.join("\n")}`];
}

function picturesOf(pictures: PictureLimits | undefined): string[] {
  if (pictures === undefined) return [];
  const { formats, minSide, maxSide, maxBytes } = pictures;
  const bounds = [
    minSide && `at least ${minSide} pixels a side`,
    maxSide && `at most ${maxSide} pixels a side`,
    maxBytes && `at most ${Number((maxBytes / 1_000_000).toFixed(1))} MB`,
  ].filter(Boolean);
  const named = formats ? formats.map((format) => formatNames[format]).join(", ") : "any format";
  return [
    `Pictures that are sent along: ${[named, ...bounds].join("; ")}. Others are [made to fit](index.md#pictures-that-are-sent-along).`,
  ];
}

const formatNames = { png: "PNG", jpeg: "JPEG", webp: "WebP", gif: "GIF" } as const;

function callbacksOf({ hears }: JobSpec): string[] {
  if (hears === undefined) return [];
  return [
    "## Callbacks",
    `With [\`server.public_url\`](../configure.md#everything-else) set, each job carries an address of its own, and a message to it makes Genway ask about the job at once. ${signatureOf(hears)}`,
  ];
}

function unconfirmedOf(unconfirmed: readonly string[] = []): string[] {
  if (unconfirmed.length === 0) return [];
  return [
    "## Not confirmed",
    "What the upstream's own sources left open, and what is done about it:",
    unconfirmed.map((one) => `- ${one}`).join("\n"),
  ];
}

function seconds(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
