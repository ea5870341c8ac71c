import createApi, { type Client as Api } from "openapi-fetch";
import type { paths } from "../../generated/openapi.d.ts";
import { openAsset, writeAsset, type Downloadable, type Target } from "./download.ts";
import { createGenerate, type CreateOptions, type Generate } from "./generation.ts";
import { GenwayError, readRefusal } from "./genway-error.ts";
import { textIn } from "./reading.ts";
import type { FollowOptions } from "./task-events.ts";
import { taskHandles, type TaskHandle } from "./task-handle.ts";
import type { TaskRecord } from "./task-record.ts";
import { createTransport, pauseFor, type Send } from "./transport.ts";
import { unwrap } from "./unwrap.ts";
import type { WaitOptions } from "./wait.ts";

export type ClientOptions = {
  /** The address of the service, such as http://127.0.0.1:8787. */
  baseUrl: string;
  /** A client key, or the admin key; none is needed in local mode on the same machine. */
  key?: string | null;
  /** Whom an operator asks for: the name or id of an account. */
  account?: string;
  fetch?: Send;
  /** How often a request is repeated at most when it got no reply or one that says "later"; 3 unless given. */
  retries?: number;
};

/** Every operation by its address (GET, POST …, which never throw for a refusal), and what goes beyond one request. */
export type Client = Api<paths> & {
  generate: Generate;
  /** Any create of any group by its path; resolves once the task is on disk. */
  create(path: string, body: object, options?: CreateOptions): Promise<TaskHandle>;
  /** A model for a kind: the preferred one where it is served, else the first with a plain name. */
  usualModel(kind: string, preferred?: string): Promise<string>;
  task(id: string): TaskHandle;
  wait(id: string, options?: WaitOptions): Promise<TaskRecord>;
  events(id: string, options?: FollowOptions): AsyncGenerator<TaskRecord, void>;
  /** Writes an asset to a path or a stream; the number of bytes. */
  download(asset: Downloadable, target: Target, options?: { signal?: AbortSignal }): Promise<number>;
  /** An asset as a reply, for whoever reads it otherwise. */
  open(asset: Downloadable, options?: { signal?: AbortSignal }): Promise<Response>;
  /** The data of a reply; throws GenwayError when it is a refusal. */
  unwrap: typeof unwrap;
};

/** Speaks to a service. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const { key, account, retries } = options;
  const reach = reaching(options.fetch ?? ((request) => globalThis.fetch(request)), baseUrl);
  const shared = { retries, send: reach, pause: pauseFor, random: Math.random, makeKey: () => crypto.randomUUID() };
  const send = createTransport({ ...shared, key, account });
  // The addresses of assets are signed, and may lead elsewhere: no key goes with them.
  const sendPlain = createTransport(shared);
  const api = createApi<paths>({ baseUrl, fetch: send });

  const task = taskHandles(api, send, baseUrl);

  async function create(path: string, body: object, { signal, idempotencyKey }: CreateOptions = {}): Promise<TaskHandle> {
    const headers = { "content-type": "application/json", ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }) };
    const response = await send(
      new Request(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null }),
    );
    if (!response.ok) throw await readRefusal(response);
    const created: unknown = await response.json();
    // Music A puts the id of a song where others have that of the task.
    const id = textIn(created, "task_id") ?? textIn(created, "data") ?? textIn(created, "id");
    if (id === null) throw new GenwayError("The service named no task.", { status: response.status, code: "unknown" });
    return task(id);
  }

  async function usualModel(kind: string, preferred?: string): Promise<string> {
    const { data } = await unwrap(api.GET("/v1/models"));
    const names = data.filter(({ kinds }) => kinds.includes(kind)).map(({ id }) => id);
    if (preferred !== undefined && names.some((name) => name === preferred || name === "*")) return preferred;
    const plain = names.find((name) => !name.includes("*")) ?? (names.includes("*") ? "local" : undefined);
    if (plain !== undefined) return plain;
    const says = names.length === 0 ? `There is no model for ${kind}.` : `Name a model for ${kind}: one of ${names.join(", ")}.`;
    throw new GenwayError(says, { status: 0, code: "model_not_found", param: "model" });
  }

  return {
    ...api,
    generate: createGenerate(create, usualModel),
    create,
    usualModel,
    task,
    wait: (id, wishes) => task(id).wait(wishes),
    events: (id, wishes) => task(id).events(wishes),
    open: (asset, { signal } = {}) => openAsset(sendPlain, baseUrl, asset, signal),
    download: async (asset, target, { signal } = {}) => writeAsset(await openAsset(sendPlain, baseUrl, asset, signal), target),
    unwrap,
  };
}

/** No reply is an error of ours too, unless it is the caller who left. */
function reaching(send: Send, baseUrl: string): Send {
  return async (request) => {
    try {
      return await send(request);
    } catch (cause) {
      if (request.signal.aborted) throw cause;
      throw new GenwayError(`Genway does not answer at ${baseUrl}.`, { status: 0, code: "unreachable", cause });
    }
  };
}

export { GenwayError, TaskFailure } from "./genway-error.ts";
export type { Asset, TaskRecord } from "./task-record.ts";
export type { TaskHandle } from "./task-handle.ts";
export type { FollowOptions } from "./task-events.ts";
export type { WaitOptions } from "./wait.ts";
export type { Downloadable, Target } from "./download.ts";
export type { CreateOptions, ImageWish, LyricsWish, MusicWish, SpeechWish, VideoWish } from "./generation.ts";
export { verifyWebhook, type WebhookEvent } from "./webhook.ts";
export type { Body, operations, paths, Query, Refusal, Reply } from "../../generated/openapi.d.ts";
