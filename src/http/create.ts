import { createHash } from "node:crypto";
import { canonicalJson } from "../kit/json.ts";
import { Failure } from "../core/errors.ts";
import type { InlineHook } from "../core/records.ts";
import type { Task } from "../core/task.ts";
import type { Draft } from "../core/plan.ts";
import type { Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { whileThere } from "./while-there.ts";

type Creating = Pick<Ask<unknown, unknown, unknown>, "caller" | "request" | "reply" | "params" | "body"> & {
  /** What makes two requests the same, where the body does not. */
  content?: unknown;
};
type Views<C, Q> = { created: (task: Task) => C; queried: (task: Task) => Q };

const longestWaitSeconds = 60;

/** What every create of every group does alike: idempotency, webhook address, waiting, headers. */
export async function createTask<C, Q>(ask: Creating, services: Services, draft: Draft, { created, queried }: Views<C, Q>): Promise<C | Q> {
  const { caller, request, reply } = ask;
  const { task, replayed, provider } = await services.tasks.submit(caller, {
    ...draft,
    hook: hookOf(ask.body, services),
    idempotency: idempotencyOf(ask),
  });
  if (replayed) reply.header("idempotent-replayed", "true");
  reply.header("x-genway-provider", provider);
  const seconds = preferredWait(request.headers["prefer"]);
  if (seconds === null) return created(task);
  const ended = await whileThere(request, (left) => services.tasks.wait(task, seconds * 1000, AbortSignal.any([left, services.closing])));
  reply.header("preference-applied", `wait=${seconds}`);
  return queried(ended);
}

/** The seconds of `Prefer: wait=…`; null without it. */
export function preferredWait(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  const seconds = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,6})"?/i.exec(text)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), longestWaitSeconds);
}

function idempotencyOf({ request, params, body, content = body }: Creating): Draft["idempotency"] {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, "$1");
  if (key === "" || key.length > 255)
    throw new Failure("invalid_request", { says: "'Idempotency-Key' must have 1 to 255 characters.", param: "Idempotency-Key" });
  const fingerprint = createHash("sha256")
    .update(canonicalJson([params, content]))
    .digest("hex");
  return { key, route: request.routeOptions.url ?? request.url, fingerprint };
}

const plainHooks = ["notify_hook", "notifyHook"];
const eventHooks = ["callback_url", "webhook_url"];
/** The fields of a create that may name an address to tell. */
export const hookFields = [...plainHooks, ...eventHooks];

function hookOf(body: unknown, services: Services): InlineHook | null {
  if (typeof body !== "object" || body === null) return null;
  const fields = new Map(Object.entries(body));
  for (const name of hookFields) {
    const url: unknown = fields.get(name);
    if (url === undefined || url === null || url === "") continue;
    if (typeof url !== "string") throw new Failure("invalid_request", { says: `'${name}' must be a URL.`, param: name });
    services.checkUrl(url, name);
    return { url, style: plainHooks.includes(name) ? "plain" : "event", every: name === "notifyHook" };
  }
  return null;
}
