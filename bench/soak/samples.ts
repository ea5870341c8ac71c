import { sniffMime } from "../../src/kit/sniff.ts";
import type { Verdict } from "../../test/crash/audit.ts";
import type { Service } from "../../test/crash/service.ts";
import type { Tables } from "../../test/crash/tables.ts";

type Asset = { url: string; kind: string; mime: string; bytes: number };
type AdminTask = { kind: string; status: string; assets: Asset[]; attempts: unknown[] };

/** What was found of the assets, and how many attempts at each task an operator is shown. */
export type Sampled = { assets: Verdict; attempts: Map<string, number> };

const sampleCount = 200;

/** Fetches the assets of some of the tasks as a client would, and holds them against what the task says of them. */
export async function fetchSamples(service: Service, ids: readonly string[]): Promise<Sampled> {
  const every = Math.max(1, Math.floor(ids.length / sampleCount));
  const broken: string[] = [];
  const attempts = new Map<string, number>();
  let counted = 0;
  for (const id of ids.filter((_id, place) => place % every === 0).slice(0, sampleCount)) {
    const task = JSON.parse(await service.read(`/admin/v1/tasks/${id}`)) as AdminTask;
    attempts.set(id, task.attempts.length);
    if (task.status === "SUCCESS" && task.kind !== "lyrics" && task.assets.length === 0) broken.push(`task ${id} has no assets`);
    for (const asset of task.assets) {
      counted++;
      const wrong = await faultOf(asset);
      if (wrong !== null) broken.push(`task ${id} (${task.kind}): ${wrong}`);
    }
  }
  return { assets: { promise: "assets that cannot be fetched", counted, broken }, attempts };
}

async function faultOf({ url, kind, mime, bytes }: Asset): Promise<string | null> {
  const reply = await fetch(url);
  const content = new Uint8Array(await reply.arrayBuffer());
  if (reply.status !== 200) return `${url} answered ${reply.status}`;
  const found = sniffMime(content);
  const isRight = content.byteLength === bytes && bytes > 0 && found === mime && mime.startsWith(`${kind}/`);
  return isRight ? null : `the ${kind} of ${bytes} bytes (${mime}) is ${content.byteLength} bytes of ${found}`;
}

/** Whether an operator was shown all attempts. */
export function misshownAttempts({ attempts }: Sampled, tables: Tables): Verdict {
  const written = Map.groupBy(tables.attempts, ({ task }) => task);
  const broken = [...attempts].flatMap(([id, shown]) => {
    const made = written.get(id)?.length ?? 0;
    return made === shown ? [] : [`task ${id}: ${shown} attempts are shown, ${made} were made`];
  });
  return { promise: "attempts that an operator is not shown", counted: attempts.size, broken };
}
