import { sniffMime } from "../../src/kit/sniff.ts";
import type { Verdict } from "../../test/crash/audit.ts";
import type { Service } from "../../test/crash/service.ts";

type Asset = { url: string; kind: string; mime: string; bytes: number };
type AdminTask = { kind: string; status: string; assets: Asset[]; attempts: { n: number }[] };

/** Fetches the assets of some finished tasks as a client would, and holds them against what the task says of them. */
export async function fetchSamples(service: Service, ids: readonly string[]): Promise<{ verdict: Verdict; attempts: Map<string, number> }> {
  const broken: string[] = [];
  const attempts = new Map<string, number>();
  let counted = 0;
  for (const id of ids) {
    const task = JSON.parse(await service.read(`/admin/v1/tasks/${id}`)) as AdminTask;
    attempts.set(id, task.attempts.length);
    if (task.status === "SUCCESS" && task.kind !== "lyrics" && task.assets.length === 0)
      broken.push(`task ${id} (${task.kind}) has no assets`);
    for (const asset of task.assets) {
      counted++;
      const wrong = await faultOf(asset);
      if (wrong !== null) broken.push(`task ${id} (${task.kind}): ${wrong}`);
    }
  }
  return { verdict: { promise: "assets that cannot be fetched", counted, broken }, attempts };
}

async function faultOf({ url, kind, mime, bytes }: Asset): Promise<string | null> {
  const reply = await fetch(url);
  const content = new Uint8Array(await reply.arrayBuffer());
  if (reply.status !== 200) return `${url} answered ${reply.status}`;
  const found = sniffMime(content);
  const isRight = content.byteLength === bytes && bytes > 0 && found === mime && mime.startsWith(`${kind}/`);
  return isRight ? null : `the ${kind} of ${bytes} bytes (${mime}) is ${content.byteLength} bytes of ${found}`;
}
