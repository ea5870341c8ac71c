import type { Probed, Work } from "../../core/provider.ts";
import { listOf, objectOf } from "../../dialects/json-reading.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { refusalOf } from "./failure.ts";

const timeoutMs = 10_000;
const unlisted = new Set([404, 405, 501]);

/** Asks an upstream of calls for its models: that costs nothing, and needs the key. */
export async function probeCalls(upstream: Upstream, url: string, work: Pick<Work, "credential" | "signal">): Promise<Probed> {
  const { credential, signal } = work;
  const reply = await upstream.call({ method: "GET", url, secret: credential.secret, timeoutMs, signal });
  if (reply.state !== "answered") return { ok: false, says: `It cannot be reached: ${reply.cause}.` };
  const { status } = reply;
  const taken = credential.secret === "" ? "wants no key" : "the key was accepted";
  if (status >= 200 && status < 300) return { ok: true, says: `It answered${countOf(reply.body)}, and ${taken}.` };
  if (unlisted.has(status)) return { ok: true, says: "It is reachable. It has no list of models, so that the key was not tried." };
  const { class: why, cause } = refusalOf(reply, credential.secret);
  if (why === "rate_limit") return { ok: true, says: "It is reachable, but says that it is asked too often now." };
  return {
    ok: false,
    says: `${why === "auth" ? "The key was refused" : "It answered that something is wrong"}: ${(cause ?? `HTTP ${status}`).slice(0, 300)}`,
  };
}

function countOf(body: unknown): string {
  const { data, models } = objectOf(body);
  const count = Math.max(listOf(data).length, listOf(models).length);
  return count === 0 ? "" : ` with ${count === 1 ? "one model" : `${count} models`}`;
}
