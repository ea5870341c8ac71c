// What the compiler says about this file is the test: the types that scripts/describe-api.ts makes, read by openapi-fetch.
import assert from "node:assert/strict";
import { test } from "node:test";
import createClient from "openapi-fetch";
import type { Body, paths, Query, Refusal, Reply } from "../../generated/openapi.d.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(_holds?: T) => undefined;

isTrue<Same<Reply<"getTasksById">["object"], "task">>();
isTrue<Same<Reply<"getTasksById">["started_at"], number | null>>();
isTrue<Same<Reply<"getTasks">["data"][number]["id"], string>>();
isTrue<Same<Refusal<"getTasks">["error"]["param"], string | null>>();
isTrue<Same<NonNullable<Query<"getTasks">["limit"]>, string>>();
isTrue<Same<Body<"postMusicASubmitLyrics">["prompt"], string>>();
isTrue<Same<paths["/v1/tasks/{id}"]["get"]["parameters"]["path"], { id: string }>>();

const answer = (body: object) => async () => new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });

test("openapi-fetch takes what an operation takes and gives what it gives", async () => {
  const api = createClient<paths>({ baseUrl: "http://x", fetch: answer({ id: "t", object: "task" }) });
  const { data, error } = await api.GET("/v1/tasks/{id}", { params: { path: { id: "t" } } });
  isTrue<Same<typeof data, Reply<"getTasksById"> | undefined>>();
  const code: string | undefined = error?.error.code;
  assert.equal(code, undefined);
  assert.equal(data?.object, "task");
});

test("openapi-fetch refuses what an operation does not take", async () => {
  const asked: string[] = [];
  const api = createClient<paths>({
    baseUrl: "http://x",
    async fetch(request) {
      asked.push(`${request.method} ${request.url}`);
      return new Response("{}");
    },
  });
  // @ts-expect-error the id is missing
  await api.GET("/v1/tasks/{id}");
  // @ts-expect-error there is no such address
  await api.GET("/v1/nothing");
  // @ts-expect-error lyrics need a prompt
  await api.POST("/musicA/submit/lyrics", { body: {} });
  // @ts-expect-error a form goes as a form
  await api.POST("/v1/files", { body: { file: "x" } });
  await api.POST("/v1/files", { body: new FormData() });
  assert.equal(asked.length, 5);
});
