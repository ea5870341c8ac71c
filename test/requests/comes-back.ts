import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import type { Caller } from "../../src/core/accounts.ts";
import type { InputFile, SongSource, TaskInput } from "../../src/core/kinds.ts";
import type { Dialect } from "../../src/core/task.ts";
import type { TaskRequest } from "../../src/http/request-words.ts";
import type { Services } from "../../src/http/services.ts";
import { taskRequest } from "../../src/http/task-request.ts";

const song = { title: "t", tags: "x", lyrics: "l", durationSeconds: 30, seed: null };
const clip = { taskId: "task 1", songIndex: 0, upstreamTaskId: "u", upstreamSongId: "s", song };
const video = {
  id: "task 1",
  kind: "video",
  dialect: "image-a",
  model: "niji",
  input: { prompt: "p", durationSeconds: 5, aspectRatio: { width: 4, height: 3 } },
  result: { kind: "video", video: "v", cover: null, durationSeconds: 5 },
};

export const caller = { account: { id: "a" }, key: null } as unknown as Caller;

/** What readers of requests ask for: uploaded files, and the tasks that a create goes on from. */
export const services = {
  checkUrl: () => undefined,
  store: { asset: async () => ({ kind: "image" }) },
  tasks: {
    songSource: async (_caller: Caller, songId: string, at: number | null, direction: SongSource["direction"]) => ({
      ...clip,
      songId,
      atSeconds: at ?? song.durationSeconds,
      direction,
    }),
    find: async () => ({ id: clip.taskId }),
    source: async () => ({ task: video, upstreamTaskId: "u" }),
  },
} as unknown as Services;

export const uploaded = "file_1";
export const onTheWeb = "https://example.com/a.png";
export const insideRequest: InputFile = { from: "data", uri: "data:image/png;base64,AAAA" };

/** The request of a task as it comes back from the store. */
export function requestOf(dialect: Dialect, model: string, work: TaskInput): TaskRequest | null {
  return taskRequest({ ...(JSON.parse(JSON.stringify(work)) as TaskInput), dialect, model });
}

export type Asked = { work: TaskInput; model: string };

/** A create: where it goes, how it is read, and bodies that it may have. */
export type Way = { dialect: Dialect; path: string; schema: TSchema; read(body: never): Promise<Asked> | Asked; bodies: object[] };

/** Reads a create by what makes a draft of it. */
export function drafted(draft: (body: never) => Promise<TaskInput & { model: string }>): Way["read"] {
  return async (body) => {
    const made = await draft(body);
    return { work: made, model: made.model };
  };
}

/** Checks of each create that the request of its task, sent again, asks for the same. */
export function comesBack(ways: Record<string, Way>): void {
  for (const [name, { dialect, path, schema, read, bodies }] of Object.entries(ways)) {
    test(`${name}: the request of a stored task, sent again, asks for the same`, async () => {
      for (const body of bodies) {
        const { work, model } = await read(body as never);
        const request = requestOf(dialect, model, work);
        assert.ok(request !== null, JSON.stringify(body));
        assert.equal(request.path, path);
        assert.ok(Value.Check(schema, request.body), JSON.stringify([request.body, [...Value.Errors(schema, request.body)]]));
        assert.deepEqual(await read(request.body as never), { work, model }, JSON.stringify(request.body));
      }
    });
  }
}
