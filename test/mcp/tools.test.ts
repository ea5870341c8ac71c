import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startGateway } from "../support/gateway.ts";
import { httpAgent, stdioAgent, type Agent } from "./agent.ts";

const gateway = await startGateway();
after(() => gateway.end());
const { url, dataDir } = gateway;

const names = `list_models quote get_balance generate_video generate_music generate_lyrics generate_image speak chat
  transcribe wait_for_task get_task list_tasks cancel_task`.split(/\s+/);
const idIn = (text: string) => /Task ([0-9a-f-]{36})/.exec(text)?.[1] ?? "";

/** The two ways to the same tools. */
const ways: Record<string, (key: string) => Promise<Agent>> = {
  "over HTTP": (key) => httpAgent(url, key),
  "over stdio": (key) => stdioAgent(["--url", url], { GENWAY_KEY: key }),
};

for (const [way, connect] of Object.entries(ways)) {
  describe(way, async () => {
    const { key } = await gateway.customer(1);
    const agent = await connect(key);
    after(() => agent.end());

    test("every tool is listed, with words and a schema", async () => {
      const tools = await agent.tools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        names,
      );
      for (const { description, inputSchema } of tools) {
        assert.ok((description ?? "").length > 20);
        assert.equal(Reflect.get(inputSchema, "type"), "object");
      }
    });

    test("models, balance and prices are told", async () => {
      assert.match((await agent.call("list_models", { kind: "video" })).text, /^\*: .*video/);
      assert.match((await agent.call("get_balance")).text, /^1 USD available/);
      const priced = await agent.call("quote", { tool: "generate_video", arguments: { prompt: "rain", duration: 8 } });
      assert.equal(priced.text, "0.08 USD (8 × 0.01 USD per second)");
      const chatted = await agent.call("quote", { tool: "chat", arguments: { messages: [{ role: "user", content: "hello" }] } });
      assert.match(chatted.text, /^0\.0\d+ USD/);
    });

    test("lyrics are started, waited for and read", async () => {
      const started = await agent.call("generate_lyrics", { prompt: "the first snow", wait_seconds: 0 });
      assert.match(started.text, /call wait_for_task/);
      const done = await agent.call("wait_for_task", { task_id: idIn(started.text) });
      assert.equal(done.isError, false);
      assert.match(done.text, /is done\. It cost 0\.005 USD\.[\s\S]*\[Chorus\]/);
      assert.match(
        (await agent.call("list_tasks", { kind: "lyrics" })).text,
        new RegExp(`^${idIn(started.text)}: lyrics by lyrics, SUCCESS`),
      );
    });

    test("a picture is made with progress, shown, and linked to by an address that needs no key", async () => {
      const seen: number[] = [];
      const { content } = await agent.call("generate_image", { prompt: "a red fox", size: "64x64" }, (progress) => seen.push(progress));
      assert.ok(seen.length > 0);
      const [, link, picture] = content;
      assert.ok(link?.type === "resource_link" && picture?.type === "image");
      assert.equal(picture.mimeType, "image/png");
      const fetched = Buffer.from(await (await fetch(link.uri)).arrayBuffer());
      assert.equal(fetched.toString("base64"), picture.data);
      assert.equal(fetched.length, link.size);
    });

    test("a chat is answered", async () => {
      const { text, isError } = await agent.call("chat", { messages: [{ role: "user", content: "Tell me about a boat." }], max_tokens: 8 });
      assert.equal(isError, false);
      assert.ok(text.length > 3);
    });

    test("what takes too long goes on, and can be cancelled", async () => {
      const started = await agent.call("generate_video", { prompt: "a long one", duration: 20, wait_seconds: 0 });
      const waited = await agent.call("wait_for_task", { task_id: idIn(started.text), timeout_seconds: 1 });
      assert.equal(waited.isError, false);
      assert.match(waited.text, /It goes on by itself/);
      assert.match((await agent.call("cancel_task", { task_id: idIn(started.text) })).text, /is cancelled\. It costs nothing\./);
      const ended = await agent.call("get_task", { task_id: idIn(started.text) });
      assert.equal(ended.isError, true);
      assert.match(ended.text, /failed: .*\[cancelled\]/);
    });

    test("what is wrong is said in the service's own sentence", async () => {
      const cases: [string, Record<string, unknown>, RegExp][] = [
        ["generate_video", {}, /^'prompt' is required unless an image is given\. \[invalid_request\]$/],
        ["get_task", { task_id: "none" }, /^There is no such task\. \[task_not_found\]$/],
        ["quote", { tool: "nothing", arguments: {} }, /^'tool' must be one of /],
        ["quote", { tool: "generate_lyrics", arguments: {} }, /^'arguments.*prompt/],
        ["generate_lyrics", {}, /prompt/],
        ["transcribe", { audio: "https://elsewhere.example/x.mp3" }, /^'audio' must be the id of an uploaded file/],
        ["transcribe", { audio: "/assets/none?e=1&d=i&s=x" }, /\[/],
      ];
      for (const [name, given, says] of cases) {
        const { isError, text } = await agent.call(name, given);
        assert.ok(isError, name);
        assert.match(text, says);
      }
    });

    test("an account without money gets told so", async () => {
      const poor = await connect((await gateway.customer(0)).key);
      const { isError, text } = await poor.call("generate_music", { prompt: "a song" });
      await poor.end();
      assert.ok(isError);
      assert.match(text, /\[insufficient_balance\]$/);
    });

    test("a key that is limited to some models gets told which", async () => {
      const limited = await connect((await gateway.customer(1, { models: ["only-this"] })).key);
      assert.match((await limited.call("list_models")).text, /^only-this: /);
      const { isError, text } = await limited.call("generate_image", { prompt: "x", model: "another" });
      await limited.end();
      assert.ok(isError);
      assert.match(text, /only-this|another/);
    });

    test("the tasks of others are not there", async () => {
      const other = await connect((await gateway.customer(1)).key);
      const mine = await agent.call("generate_lyrics", { prompt: "mine", wait_seconds: 0 });
      assert.match((await other.call("get_task", { task_id: idIn(mine.text) })).text, /\[task_not_found\]$/);
      assert.equal((await other.call("list_tasks")).text, "There are no such tasks.");
      await other.end();
    });
  });
}

test("over stdio, beside a running service, no key is needed: one is made and kept", async () => {
  const agent = await stdioAgent([], { GENWAY_DATA_DIR: dataDir });
  assert.match((await agent.call("get_balance")).text, /USD available/);
  await agent.end();
});

test("over stdio a wrong key is an answer of every tool", async () => {
  const agent = await stdioAgent(["--url", url, "--key", "sk-wrong"], {});
  const { isError, text } = await agent.call("get_balance");
  await agent.end();
  assert.ok(isError);
  assert.match(text, /\[invalid_key\]$/);
});

test("what was said aloud can be written down", async () => {
  const agent = await httpAgent(url, null);
  const spoken = await agent.call("speak", { input: "Good morning." });
  const linkIn = ({ content }: typeof spoken) => content.find((block) => block.type === "resource_link");
  // The voice is made ready on the first use; a busy machine takes longer for that than a tool waits.
  const link = linkIn(spoken) ?? linkIn(await agent.call("wait_for_task", { task_id: idIn(spoken.text) }));
  assert.match(link?.mimeType ?? "", /^audio\//);
  const { text } = await agent.call("transcribe", { audio: link?.uri ?? "" });
  await agent.end();
  assert.match(text, /good morning/i);
});
