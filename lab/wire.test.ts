import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createLab } from "./lab.ts";
import { mediaBytes } from "./media.ts";
import { toy } from "./toy.fixture.ts";

async function openToy(context: TestContext) {
  let now = 1_000_000;
  const script = { minSeconds: 100, maxSeconds: 100, queueSeconds: 10 };
  const lab = await createLab({ dialects: [toy], now: () => now, script });
  context.after(() => lab.close());
  const ask = (path: string, { headers = {}, ...init }: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {}) =>
    fetch(`${lab.baseUrl("toy")}${path}`, { ...init, headers: { authorization: "Bearer lab-key", ...headers } });
  const submit = (body: object, path = "/jobs", headers: Record<string, string> = {}) =>
    ask(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  const begin = async (body: object) => String((await recordOf(await submit(body)))["id"]);
  return { lab, ask, submit, begin, pass: (seconds: number) => void (now += seconds * 1_000) };
}

async function recordOf(reply: Response): Promise<Record<string, unknown>> {
  const body: unknown = await reply.json();
  return Object.fromEntries(Object.entries(Object(body)));
}

async function listOf(reply: Response): Promise<Record<string, unknown>[]> {
  const body: unknown = await reply.json();
  return Array.isArray(body) ? body : assert.fail("no list");
}

test("files of a form come with their names, types and bytes", async (context) => {
  const { ask } = await openToy(context);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(5)], "a.png", { type: "image/png" }));
  assert.deepEqual(await recordOf(await ask("/upload", { method: "POST", body: form })), { name: "a.png", mime: "image/png", length: 5 });
});

test("a job keeps what the dialect noted, and knows the dialect's own address", async (context) => {
  const { lab, submit } = await openToy(context);
  const record = await recordOf(await submit({ prompt: "waves", size: 7 }));
  assert.deepEqual([record["size"], record["at"], record["word"]], [7, lab.baseUrl("toy"), "waiting"]);
  const elsewhere = await recordOf(await submit({ prompt: "[lab:origin=http://127.0.0.1:9]" }));
  assert.ok(String(elsewhere["at"]).startsWith("http://127.0.0.1:9/") && String(elsewhere["file"]).startsWith("http://127.0.0.1:9/"));
});

test("an instant submit is answered with the finished job, and with a refusal where it fails", async (context) => {
  const { lab, submit } = await openToy(context);
  const reply = await submit({ prompt: "waves" }, "/pictures");
  assert.deepEqual(Buffer.from(await reply.bytes()), Buffer.from(mediaBytes("cover.png")));
  assert.equal(lab.jobs()[0]?.state, "done");
  const failed = await submit({ prompt: "[lab:fail=policy]" }, "/pictures");
  assert.deepEqual([failed.status, (await recordOf(failed))["says"]], [403, "bad words"]);
  assert.equal((await submit({ prompt: "[lab:fail=other]" }, "/pictures")).status, 500);
});

test("bytes are spoiled as JSON is", async (context) => {
  const { submit } = await openToy(context);
  const half = await (await submit({ prompt: "[lab:truncated]" }, "/pictures")).bytes();
  assert.equal(half.byteLength, Math.ceil(mediaBytes("cover.png").byteLength / 2));
  await assert.rejects((await submit({ prompt: "[lab:broken]" }, "/pictures")).bytes());
  const typed = await submit({ prompt: "[lab:types]" }, "/pictures");
  assert.deepEqual([typed.headers.get("content-type"), await typed.text()], ["application/json", "[]"]);
});

test("a job is found by its own name, from the body or the header, without a poll", async (context) => {
  const { lab, ask, submit } = await openToy(context);
  await submit({ prompt: "waves", name: "mine" });
  await submit({ prompt: "rain" }, "/jobs", { "idempotency-key": "by-header" });
  assert.equal((await listOf(await ask("/jobs?name=mine"))).length, 1);
  assert.equal((await listOf(await ask("/jobs?name=by-header"))).length, 1);
  assert.deepEqual(await listOf(await ask("/jobs?name=nobody")), []);
  assert.deepEqual(
    lab.jobs().map(({ reference, polls }) => [reference, polls]),
    [
      ["mine", 0],
      ["by-header", 0],
    ],
  );
});

test("other questions want the key unless they are open, and the file of a guarded link is there for it", async (context) => {
  const { lab, ask, begin } = await openToy(context);
  const id = await begin({ prompt: "waves" });
  const file = await ask(`/file?id=${id}`);
  assert.deepEqual([file.status, file.headers.get("content-type")], [200, "video/mp4"]);
  assert.equal((await ask(`/file?id=${id}`, { headers: { authorization: "Bearer wrong" } })).status, 401);
  assert.equal((await ask("/file?id=none")).status, 404);
  assert.equal((await fetch(`${lab.baseUrl("toy")}/open`)).status, 200);
});

test("a cancel stops a job only in the states that allow it", async (context) => {
  const { lab, ask, begin, pass } = await openToy(context);
  const cancel = async (id: string) => (await ask(`/jobs?id=${id}`, { method: "DELETE" })).status;
  assert.equal(await cancel(await begin({ prompt: "early" })), 204);
  const late = await begin({ prompt: "late" });
  pass(20);
  assert.equal(await cancel(late), 400);
  assert.deepEqual(
    lab.jobs().map(({ state }) => state),
    ["cancelled", "running"],
  );
  assert.equal(await cancel("none"), 404);
});

test("a job that is to be missing is left out of lists and of every other answer", async (context) => {
  const { ask, begin } = await openToy(context);
  const [here, gone] = [await begin({ prompt: "waves" }), await begin({ prompt: "[lab:poll=missing]" })];
  const listed = await listOf(await ask(`/jobs?many=1&id=${here}&id=${gone}`));
  assert.deepEqual(
    listed.map(({ id }) => id),
    [here],
  );
  assert.equal((await ask(`/jobs?id=${gone}`)).status, 404);
  assert.equal((await ask(`/file?id=${gone}`)).status, 404);
});

test("words of marks may have spaces, written as in an address", async (context) => {
  const { ask, begin } = await openToy(context);
  const id = await begin({ prompt: "[lab:status=not%20ready]" });
  assert.equal((await recordOf(await ask(`/jobs?id=${id}`)))["word"], "not ready");
});

test("requests to addresses that an upstream does not have are remembered", async (context) => {
  const { lab, ask } = await openToy(context);
  assert.equal((await ask("/nowhere")).status, 404);
  assert.deepEqual(lab.strays(), ["toy: GET /nowhere"]);
});
