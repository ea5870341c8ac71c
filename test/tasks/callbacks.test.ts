import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { kling } from "../../lab/dialects/kling.ts";
import { createTestClock } from "../support/test-clock.ts";
import { eventually } from "../support/eventually.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let lab: Lab;
let house: TaskHouse;

before(async () => {
  const clock = createTestClock();
  lab = await createLab({ now: clock.now, script: { minSeconds: 100, maxSeconds: 100, queueSeconds: 0 } });
  const at = (type: string, more = "") =>
    `{ type: ${type}, base_url: "${lab.baseUrl(type)}", keys: [lab-key], allow_private_network: true${more} }`;
  house = await openHouse({
    pace: clock,
    yaml: `
providers:
  kling: ${at("kling", `, webhook_secret: ${JSON.stringify(kling.webhookSecret)}`)}
  luma: ${at("luma")}
models:
  kling-3.0: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: kling }] }
  ray-2: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: luma }] }
  either: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: kling, model: kling-3.0 }, { provider: luma, model: ray-2, priority: 1 }] }
`,
  });
});
after(async () => {
  await house.end();
  await lab.close();
});
afterEach(() => house.checkBooks());

const jobOf = (prompt: string) => lab.jobs().find((job) => job.prompt === prompt) ?? assert.fail(`no job ${prompt}`);
const polls = (prompt: string) => jobOf(prompt).polls;
const urlOf = (prompt: string) => jobOf(prompt).callbackUrl ?? assert.fail("no callback address");
/** The most polls that callbacks may have made since then: a few at once, and one in each second. */
const handful = (startedAt: number) => 3 + Math.ceil((Date.now() - startedAt) / 1_000);
const quiet = () => new Promise((resolve) => setTimeout(resolve, 300));

async function begun(model: string, prompt: string): Promise<string> {
  const id = await house.video(model, prompt);
  await house.sent(id);
  await lab.sendCallbacks();
  await quiet();
  return id;
}

async function finish(id: string): Promise<void> {
  house.clock.advance(101_000);
  assert.equal((await house.ended(id, 6_000)).status, "SUCCESS");
}

type Sent = { type?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> };
const send = async (url: string, { type = "application/json", body = "{}", headers = {} }: Sent = {}) =>
  (await fetch(url, { method: "POST", headers: { ...(type && { "content-type": type }), ...headers }, body })).status;

const secret = Buffer.from(String(kling.webhookSecret).replace("whsec_", ""), "base64");
function signed(body: string, atMs: number, id = "msg-1"): Sent {
  const time = String(Math.floor(atMs / 1_000));
  const signature = createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("base64");
  return { body, headers: { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` } };
}

test("five hundred callbacks at once for one task make a handful of polls and one end", async () => {
  const id = await begun("ray-2", "storm");
  const earlier = polls("storm");
  const startedAt = Date.now();
  const statuses = await Promise.all(Array.from({ length: 500 }, () => send(urlOf("storm"))));
  assert.ok(
    statuses.every((status) => status === 200),
    String([...new Set(statuses)]),
  );
  await quiet();
  assert.ok(polls("storm") - earlier <= handful(startedAt), `${polls("storm") - earlier} polls for 500 callbacks`);
  await finish(id);
  const later = polls("storm");
  assert.equal(await send(urlOf("storm")), 200, "after the end it is heard and changes nothing");
  await quiet();
  assert.equal(polls("storm"), later);
});

test("a callback that goes on and on cannot make the upstream be asked all the time", async () => {
  const id = await begun("ray-2", "drumming");
  const earlier = polls("drumming");
  const startedAt = Date.now();
  while (Date.now() < startedAt + 1_500) await send(urlOf("drumming"));
  assert.ok(polls("drumming") - earlier <= handful(startedAt), `${polls("drumming") - earlier} polls in 1.5 seconds`);
  await finish(id);
});

test("what is not signed, or signed for another time or body, is refused and asks nobody", async () => {
  const id = await begun("kling-3.0", "forged");
  const earlier = polls("forged");
  const now = house.clock.now();
  const genuine = signed("{}", now);
  const url = urlOf("forged");
  assert.equal(await send(url), 401);
  assert.equal(await send(url, { ...genuine, body: '{"status":"succeeded"}' }), 401);
  assert.equal(await send(url, signed("{}", now - 3_600_000)), 401, "a replay after its time");
  assert.equal(await send(url, signed("{}", now + 3_600_000)), 401, "a message of the future");
  assert.equal(await send(`${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`, genuine), 404);
  assert.equal(await send(url.replace("/kling/", "/luma/"), genuine), 404);
  await quiet();
  assert.equal(polls("forged"), earlier);
  assert.equal(await send(url, genuine), 200);
  await eventually(() => polls("forged") > earlier);
  await finish(id);
});

test("messages of any shape are answered, and none breaks the service", async () => {
  const id = await begun("ray-2", "shapes");
  const url = urlOf("shapes");
  const odd: [string, Sent][] = [
    ["no type", { type: "", body: "x" }],
    ["text", { type: "text/plain", body: "done" }],
    ["a wrong type", { type: "not a type", body: "{}" }],
    ["broken JSON", { body: "{" }],
    ["invalid UTF-8", { body: Uint8Array.from([0xff, 0xfe, 0xc3, 0x28]) }],
    ["a form", { type: "application/x-www-form-urlencoded", body: "a=1&a=2" }],
    ["a multipart without its border", { type: "multipart/form-data", body: "x" }],
    ["nothing", { body: "" }],
    ["xml in utf-16", { type: "application/xml; charset=utf-16", body: "<a/>" }],
  ];
  for (const [what, message] of odd) {
    const status = await send(url, message);
    assert.ok(status === 200 || (status >= 400 && status < 500), `${what}: ${status}`);
  }
  assert.equal(await send(url, { body: "x".repeat(9 * 1024 * 1024) }).catch(() => 413), 413);
  assert.equal(await chunked(url), 200);
  await finish(id);
});

function chunked(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: "POST", headers: { "content-type": "application/json" } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sending.once("error", reject);
    for (const piece of ["{", '"a"', ":", "1"]) sending.write(piece);
    sending.end("}");
  });
}

test("a callback for an attempt that has failed elsewhere changes nothing for the one that goes on", async () => {
  lab.change({ failRate: 1, minSeconds: 1, maxSeconds: 1 });
  const id = await begun("either", "moved on");
  lab.change({ failRate: 0, minSeconds: 100, maxSeconds: 100 });
  const old = urlOf("moved on");
  house.clock.advance(6_000);
  await eventually(() => lab.jobs().filter(({ prompt }) => prompt === "moved on").length === 2);
  await house.sent(id);
  await quiet();
  const count = () => lab.jobs().reduce((sum, job) => sum + (job.prompt === "moved on" ? job.polls : 0), 0);
  const earlier = count();
  const status = await send(old, signed('{"status":"succeeded"}', house.clock.now()));
  assert.ok(status === 200, String(status));
  await quiet();
  assert.equal(count(), earlier);
  await finish(id);
});
