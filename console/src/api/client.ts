import createClient from "openapi-fetch";
import type { paths } from "../../../generated/openapi.js";
import { errorFrom, type ApiError } from "./api-error.ts";
import { identityHeaders } from "./identity.ts";
import { queryClient } from "./queries.ts";

/** Every operation of the service by path and method, typed from its own description; refusals are thrown as ApiError. */
export const client = createClient<paths>({ baseUrl: location.origin });

client.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(identityHeaders(request.method))) {
      // A request may be on behalf of another account than the chosen one.
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
  },
  async onResponse({ response }) {
    if (!response.ok) throw await refusal(response);
  },
});

/** The data of a reply: `await read(client.GET("/v1/tasks", { params }))`. */
export async function read<T>(reply: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await reply;
  if (data === undefined) throw await errorFrom(response);
  return data;
}

/** A refused reply as an error; when it is for want of a session, who is there is asked anew. */
async function refusal(response: Response): Promise<ApiError> {
  const isSession = new URL(response.url).pathname.startsWith("/console/");
  if (response.status === 401 && !isSession) void queryClient.invalidateQueries({ queryKey: ["session"] });
  return errorFrom(response);
}

type Method = "get" | "post" | "patch" | "delete";
type Json<R> = R extends { content: { "application/json": infer T } } ? T : never;

/** The JSON that an operation answers: `Reply<"/v1/tasks">`, `Reply<"/v1/quote", "post">`. */
export type Reply<P extends keyof paths, M extends Method = "get"> =
  paths[P] extends Record<M, { responses: { 200: infer R } }> ? Json<R> : never;

/** The JSON that an operation takes: `Body<"/admin/v1/keys", "post">`. */
export type Body<P extends keyof paths, M extends Exclude<Method, "get">> =
  paths[P] extends Record<M, { requestBody: infer R }> ? Json<R> : never;

/** A plain request with the session's headers, for bodies and replies that are not JSON; refusals are thrown as ApiError. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(identityHeaders(init.method ?? "GET"))) if (!headers.has(name)) headers.set(name, value);
  const response = await fetch(path, { ...init, headers });
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Sends JSON to a path that is known only at run time. */
export function sendJson(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return send(path, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

/** The address of an asset or file on this origin, so that the page's policy lets it be shown; "" for what is no address of a file. */
export function sameOrigin(url: string): string {
  const at = url.indexOf("/assets/");
  if (at !== -1) return url.slice(at);
  return /^(?:https?:|blob:|\/)/.test(url) ? url : "";
}
