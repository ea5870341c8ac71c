import assert from "node:assert/strict";
import { Errors } from "typebox/schema";

export type SeenReply = { method: string; path: string; status: number; headers: Headers; isJson: boolean; body: unknown };

export type ReplyBook = {
  add(reply: SeenReply): void;
  size(): number;
  /** Throws unless every reply so far keeps the contract: request id, known error in its group's shape, no 500, declared schema. */
  check(): Promise<void>;
};

type Declared = { paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>> };

/** The table of errors of the contract. */
const statusOf: Record<string, number> = {
  invalid_request: 400,
  not_supported: 400,
  content_policy: 400,
  input_unreachable: 400,
  invalid_key: 401,
  insufficient_balance: 402,
  not_allowed: 403,
  model_not_found: 404,
  task_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_in_flight: 409,
  task_finished: 409,
  task_not_ready: 409,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  too_many_tasks: 429,
  queue_full: 429,
  upstream_error: 502,
  upstream_unavailable: 503,
  unavailable: 503,
  upstream_timeout: 504,
  // Where a client waits for a task, what that failed with.
  cancelled: 409,
  unknown_outcome: 502,
  expired: 504,
};

const taskGroups = /^\/(custom_video|musicA|musicB|suno|udio|videoB|luma|v1\/video\/generations)(\/|\?|$)/;
const openAiGroups = /^\/(v1\/(models|balance|billing|dashboard|videos)|imageB|ideogram|dashboard|api\/usage|admin)(\/|\?|$)/;

const midjourneyGroup = /^\/(imageA|mj(-\w+)?)\//;

/** Other addresses of an operation stand in the document under its first one. */
const canonical: [RegExp, string][] = [
  [/^\/suno\//, "/musicA/"],
  [/^\/udio\//, "/musicB/"],
  [/^\/mj(-(fast|relax|turbo)\/mj)?\//, "/imageA/"],
  [/^\/imageA\/task\/list-by-ids$/, "/imageA/task/list-by-condition"],
  [/^\/luma\//, "/videoB/"],
  [/^\/ideogram\/(v1\/ideogram-v3\/)?/, "/imageB/"],
  [/^\/musicA\/submit\/fetch$/, "/musicA/fetch"],
  [/^\/custom_video\/tasks\//, "/custom_video/fetch/"],
  [/^\/custom_video\/model\/[^/]+\/([^/]+)$/, "/custom_video/fetch/$1"],
  [/^\/custom_video\/([^/]+)$/, "/custom_video/fetch/$1"],
  [/^\/dashboard\//, "/v1/dashboard/"],
];

/** Keeps replies to hold them against the contract, and 200s against the service's own OpenAPI document. */
export function createReplyBook(url: string): ReplyBook {
  const replies: SeenReply[] = [];
  return {
    add: (reply) => void replies.push(reply),
    size: () => replies.length,
    async check() {
      assert.ok(replies.length > 0, "no reply was seen");
      const document = (await (await fetch(`${url}/openapi.json`)).json()) as Declared;
      const ids = new Set<string>();
      for (const reply of replies) {
        const id = reply.headers.get("x-request-id");
        assert.match(id ?? "", /^[\w-]{8,}$/, `${nameOf(reply)} has no x-request-id`);
        ids.add(id ?? "");
        assert.notEqual(reply.status, 500, `${nameOf(reply)}: ${JSON.stringify(reply.body)}`);
        if (reply.status >= 400) checkError(reply);
        if (reply.isJson && isDeclared(reply)) checkDeclared(document, reply);
      }
      assert.equal(ids.size, replies.length, "a request id was given twice");
    },
  };
}

/** Errors at no address, or for a method that is not there, belong to no operation. */
function isDeclared({ status, body }: SeenReply): boolean {
  const code: unknown = Reflect.get(Object(Reflect.get(Object(body), "error")), "code");
  return status !== 405 && code !== "not_found" && status !== 204;
}

function nameOf({ method, path, status }: SeenReply): string {
  return `${method} ${path} → ${status}`;
}

function checkError(reply: SeenReply): void {
  if (reply.status === 416 || reply.method === "HEAD") return;
  const body = reply.body as { error?: Record<string, unknown>; code?: unknown; message?: unknown; data?: unknown };
  const name = `${nameOf(reply)} ${JSON.stringify(body)}`;
  const { error } = body;
  assert.ok(error !== undefined, name);
  const isMessages = /^\/v1\/messages(\?|$)/.test(reply.path);
  assert.deepEqual(Object.keys(error).sort(), isMessages ? ["code", "message", "type"] : ["code", "message", "param", "type"], name);
  const { code, message, param = null, type } = error;
  assert.ok(typeof code === "string" && typeof message === "string" && message.length > 3 && typeof type === "string", name);
  assert.ok(param === null || typeof param === "string", name);
  assert.equal(statusOf[code], reply.status, name);
  if (midjourneyGroup.test(reply.path) && code !== "not_found") {
    const number = reply.status === 404 ? 3 : code === "queue_full" ? 23 : code === "content_policy" ? 24 : 4;
    return assert.deepEqual(body, { code: number, description: message, result: null, properties: {}, error }, name);
  }
  const isEnveloped = Object.hasOwn(body, "code");
  // Where there is no operation there is no group.
  if (taskGroups.test(reply.path) && code !== "not_found") assert.ok(isEnveloped, name);
  if (isMessages) return assert.deepEqual({ ...body, error: null }, { type: "error", error: null }, name);
  if (openAiGroups.test(reply.path)) assert.ok(!isEnveloped, name);
  assert.deepEqual(
    isEnveloped ? { ...body, error: null } : { error: null },
    isEnveloped ? { code, message, data: null, error: null } : { error: null },
    name,
  );
  if (reply.status === 429) assert.ok(reply.headers.has("retry-after"), name);
}

function checkDeclared(document: Declared, reply: SeenReply): void {
  const [path = ""] = reply.path.split("?");
  const schema = schemaFor(document, reply.method.toLowerCase(), path, reply.status);
  if (schema === null) return;
  const [fits, errors] = Errors(schema, reply.body);
  assert.ok(
    fits,
    `${nameOf(reply)} differs from its schema: ${JSON.stringify(errors.slice(0, 3))} in ${JSON.stringify(reply.body).slice(0, 600)}`,
  );
}

/** The schema of a reply at a path; null where the document promises no JSON. */
function schemaFor({ paths }: Declared, method: string, path: string, status: number): object | null {
  const known = canonical.reduce((text, [from, to]) => (pathFor(paths, text) === undefined ? text.replace(from, to) : text), path);
  const operation = pathFor(paths, known)?.[method];
  assert.ok(operation !== undefined, `${method} ${path} is not in the OpenAPI document`);
  return (operation.responses[status] ?? operation.responses["default"])?.content?.["application/json"]?.schema ?? null;
}

function pathFor(paths: Declared["paths"], path: string) {
  const asked = path.replace(/\/$/, "");
  const patternOf = (template: string) =>
    new RegExp(
      `^${template
        .replace(/\/$/, "")
        .replaceAll(".", "\\.")
        .replace(/\{[^}]+\}/g, "[^/]+")}$`,
    );
  const found =
    Object.keys(paths).find((template) => template === path) ?? Object.keys(paths).find((template) => patternOf(template).test(asked));
  return found === undefined ? undefined : paths[found];
}
