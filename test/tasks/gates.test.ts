import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { done, failed, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

let first: HandUpstream;
let second: HandUpstream;
let house: TaskHouse;

before(async () => {
  first = await startHandUpstream();
  second = await startHandUpstream();
  const provider = ({ url }: HandUpstream, limit: number) =>
    `{ type: runway, base_url: "${url}", keys: [key-1], allow_private_network: true, limits: { concurrent: ${limit} } }`;
  house = await openHouse({
    yaml: `
providers:
  first: ${provider(first, 4)}
  second: ${provider(second, 2)}
  many: { type: replicate, base_url: "${second.url}", keys: [key-1], allow_private_network: true }
models:
  pair: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: first, model: gen4.5 }, { provider: second, model: gen4.5, priority: 1 }] }
`,
  });
});
after(async () => {
  await house.end();
  await first.close();
  await second.close();
});
afterEach(() => house.checkBooks());

/** How many of an upstream's jobs run at a time at most, as their starts and ends tell. */
function watch(upstream: HandUpstream, prompts: readonly string[], end: (polls: number) => ReturnType<typeof done> | null) {
  const open = new Set<string>();
  let most = 0;
  for (const prompt of prompts) {
    upstream.on("start", prompt, ({ id }) => {
      open.add(id);
      most = Math.max(most, open.size);
      return { body: { id } };
    });
    upstream.on("cancel", prompt, ({ id }) => {
      open.delete(id);
      return { status: 204 };
    });
    upstream.on("poll", prompt, ({ id, polls }) => {
      const ending = end(polls);
      if (ending !== null) open.delete(id);
      return ending ?? { body: { status: "RUNNING", progress: 0.5 } };
    });
  }
  return () => most;
}

test("no provider has more jobs at a time than it may, though all of them move from one to the other", async () => {
  const prompts = Array.from({ length: 12 }, (_, n) => `crowd ${n}`);
  const atFirst = watch(first, prompts, () => failed("INTERNAL"));
  const atSecond = watch(second, prompts, (polls) => (polls < 2 ? null : done(`${second.url}/media/clip.mp4`)));
  const ids = await Promise.all(prompts.map((prompt) => house.video("pair", prompt)));
  const cancelled = ids.slice(0, 3);
  await house.reach(ids.at(-1) ?? "", ["QUEUED", "IN_PROGRESS"], 6_000);
  const replies = await Promise.all(cancelled.map((id) => house.cancel(id)));
  assert.ok(replies.every(({ status }) => status === 200 || status === 409));
  for (const id of ids.slice(3)) assert.equal((await house.ended(id, 6_000)).status, "SUCCESS");
  assert.ok(atFirst() <= 4, `${atFirst()} at the first`);
  // A job that is over upstream holds its slot until its result is stored, never longer than it runs there.
  assert.ok(atSecond() <= 2, `${atSecond()} at the second`);
  for (const prompt of prompts) assert.ok(first.of(prompt).length <= 1 && second.of(prompt).length <= 1);
});

test("what an adapter knows of its upstream's limits holds where the file sets none", async () => {
  const { body } = await house.gateway.admin("GET", "/admin/v1/providers");
  const many = (body["data"] as { name: string; per_minute: number | null }[]).find(({ name }) => name === "many");
  assert.equal(many?.per_minute, 600);
});
