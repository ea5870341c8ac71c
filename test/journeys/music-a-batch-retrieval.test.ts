import assert from "node:assert/strict";
import { after, test } from "node:test";
import { checkClip } from "../support/clip-shape.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { CreatedClip, Envelope, EnvelopeError, MusicTask } from "../support/wire.ts";

const { client, gateway, reach, end } = await startLabGateway();
after(end);

type Batch = Envelope<MusicTask[]>;
const ask = (body: unknown, path = "/musicA/fetch") => client.post<Batch>(path, body);
const idsOf = ({ body }: { body: Batch }) => body.data.map(({ task_id }) => task_id);

async function song(text: string): Promise<CreatedClip> {
  return (await client.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: text })).body;
}
const [first, second] = [await song("one"), await song("two")];
const lyrics = (await client.post<Envelope<string>>("/musicA/submit/lyrics", { prompt: "words" })).body.data;
await reach(first.task_id, "SUCCESS");
const strangers = Array.from({ length: 100 }, (_, n) => `01234567-89ab-7def-8123-${String(n).padStart(12, "0")}`);

test("no id gives an empty list", async () => {
  const { status, body } = await ask({ ids: [] });
  assert.deepEqual([status, body], [200, { code: "success", message: "", data: [] }]);
});

test("tasks are found by their own ids and by those of their clips, each once", async () => {
  assert.deepEqual(idsOf(await ask({ ids: [first.task_id] })), [first.task_id]);
  assert.deepEqual(idsOf(await ask({ ids: [first.id] })), [first.task_id]);
  const mixed = idsOf(await ask({ ids: [first.id, second.task_id, first.task_id, lyrics, second.id] }));
  assert.deepEqual(mixed.toSorted(), [first.task_id, second.task_id, lyrics].toSorted());
});

test("every address of the operation answers alike", async () => {
  const expected = (await ask({ ids: [first.task_id] })).body;
  for (const path of ["/musicA/submit/fetch", "/suno/fetch", "/suno/submit/fetch"]) {
    const { status, body } = await ask({ ids: [first.task_id] }, path);
    assert.equal(status, 200, path);
    assert.deepEqual(
      body.data.map(({ status: state, action, data }) => [state, action, data.length]),
      [["SUCCESS", "MUSIC", 2]],
    );
    assert.deepEqual(Object.keys(body.data[0] ?? {}), Object.keys(expected.data[0] ?? {}));
  }
});

test("the records are whole", async () => {
  const { body } = await ask({ ids: [first.task_id, lyrics] });
  const [music, words] = ["MUSIC", "LYRICS"].map((action) => body.data.find((task) => task.action === action));
  assert.ok(music !== undefined && words !== undefined);
  for (const clip of music.data) {
    checkClip(clip);
    assert.equal(clip.status, "complete");
    assert.ok(clip.audio_url.startsWith(`${gateway.url}/assets/`));
  }
  assert.deepEqual(music.data.map(({ id }) => id).includes(first.id), true);
  assert.equal(typeof Reflect.get(words.data, "text"), "string");
});

test("unknown ids, other groups' and other people's tasks are left out", async () => {
  const video = (await client.post<{ id: string }>("/custom_video/model/gen4.5", { prompt: "x" })).body.id;
  const other = client.as((await gateway.customer(1)).key);
  const theirs = (await other.post<CreatedClip>("/musicA/submit/music", { gpt_description_prompt: "theirs" })).body;
  const found = await ask({ ids: ["", "nonsense", "🎵", strangers[0], video, theirs.task_id, theirs.id, second.task_id] });
  assert.equal(found.status, 200);
  assert.deepEqual(idsOf(found), [second.task_id]);
});

test("`action` keeps only tasks of that kind", async () => {
  const ids = [first.task_id, lyrics];
  assert.deepEqual(idsOf(await ask({ ids, action: "MUSIC" })), [first.task_id]);
  assert.deepEqual(idsOf(await ask({ ids, action: "LYRICS" })), [lyrics]);
  assert.equal(idsOf(await ask({ ids, action: "" })).length, 2);
  assert.equal((await ask({ ids, action: "DANCE" })).status, 400);
});

test("a hundred ids are taken, one more is refused", async () => {
  const full = await ask({ ids: [...strangers.slice(1), first.task_id] });
  assert.deepEqual(idsOf(full), [first.task_id]);
  const more = await client.post<EnvelopeError>("/musicA/fetch", { ids: [...strangers, first.task_id] });
  assert.deepEqual([more.status, more.body.code, more.body.error.param], [400, "invalid_request", "ids"]);
  assert.match(more.body.message, /100/);
});

test("what is not a list of texts is refused with the name of the field", async () => {
  for (const body of [
    {},
    { ids: null },
    { ids: first.task_id },
    { ids: { 0: "x" } },
    { ids: [1] },
    { ids: [null] },
    { ids: [[first.task_id]] },
  ]) {
    const reply = await client.post<EnvelopeError>("/musicA/fetch", body);
    assert.deepEqual([reply.status, reply.body.code], [400, "invalid_request"], JSON.stringify(body));
    assert.match(reply.body.error.param ?? "", /^ids/);
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
