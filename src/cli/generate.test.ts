import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import test from "node:test";
import { runCommandLine } from "./command-line.ts";
import { bodyOf, inFolder, runLine, taskRecord, testShell, withServer } from "./shell.fixture.ts";

/** A service that accepts one task and shows it as it is told to. */
function fakeGateway(task: object, bodies: unknown[] = []): RequestListener {
  return (request, response) => {
    const url = request.url ?? "";
    const json = (value: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.headers.authorization !== "Bearer my-key")
      return json({ error: { message: "A valid API key is needed.", code: "invalid_key" } }, 401);
    if (url.includes("/submit/"))
      return void bodyOf(request).then((body) => json({ id: "song-1", data: `${bodies.push(body) && "task-1"}` }));
    if (url.endsWith("/events")) return response.writeHead(200).end(`event: task\ndata: ${JSON.stringify(task)}\n\n`);
    if (url.startsWith("/assets/")) return response.end(`bytes of ${url}`);
    return json({ error: { message: "There is nothing at this address.", code: "not_found" } }, 404);
  };
}

const asset = (id: string) => ({ id, kind: "audio", url: `https://outside.example/assets/${id}?s=1`, mime: "audio/mpeg", bytes: 9 });
const song = (id: string) => ({ title: "Calm Sea", audio_url: `https://outside.example/assets/${id}?s=1` });
const finished = taskRecord({
  status: "SUCCESS",
  progress: 100,
  cost_usd: 0.05,
  assets: [asset("a"), asset("b")],
  result: { songs: [song("a"), song("b")] },
});

test("music leaves two files, says so, and says what it cost", async () => {
  const bodies: unknown[] = [];
  await withServer(fakeGateway(finished, bodies), (url) =>
    inFolder(async (cwd) => {
      const env = { GENWAY_KEY: "my-key" };
      const { code, printed, noted } = await runLine(["generate", "music", "the sea", "-o", "sea.mp3", "--url", url], { cwd, env });
      assert.equal(noted, "music: done\n2 songs were made: sea.mp3 and sea-2.mp3. Cost $0.05.");
      assert.deepEqual({ code, printed }, { code: 0, printed: "sea.mp3\nsea-2.mp3" });
      // Fetched from the service we talk to, not from the address it has outside.
      assert.equal(readFileSync(join(cwd, "sea-2.mp3"), "utf8"), "bytes of /assets/b?s=1");
      assert.deepEqual(readdirSync(cwd), ["sea-2.mp3", "sea.mp3"]);
    }),
  );
  assert.deepEqual(bodies, [{ gpt_description_prompt: "the sea" }]);
});

test("a failure is told in its own sentence, with exit code 1 and no file", async () => {
  const failed = taskRecord({
    status: "FAILURE",
    error: { message: "The provider refused the content of this request.", code: "content_policy" },
  });
  await withServer(fakeGateway(failed), (url) =>
    inFolder(async (cwd) => {
      const { code, noted } = await runLine(["generate", "music", "x"], { cwd, env: { GENWAY_KEY: "my-key", GENWAY_URL: url } });
      assert.equal(code, 1);
      assert.match(noted, /The provider refused the content of this request\. \(Task task-1 cost \$0\.00\.\)$/);
      assert.deepEqual(readdirSync(cwd), []);
    }),
  );
});

test("a download that breaks off leaves no half file and tells where the result is kept", async () => {
  const cut: RequestListener = (request, response) => {
    if (request.url?.startsWith("/assets/") !== true) return fakeGateway(finished)(request, response);
    response.writeHead(200, { "content-length": "1000" });
    response.write("some", () => response.destroy());
  };
  await withServer(cut, (url) =>
    inFolder(async (cwd) => {
      const { code, noted } = await runLine(["generate", "music", "x"], { cwd, env: { GENWAY_KEY: "my-key", GENWAY_URL: url } });
      assert.equal(code, 1);
      assert.match(noted, /its results are kept: genway task show task-1 \(Cost \$0\.05\.\)/);
      assert.deepEqual(readdirSync(cwd), []);
    }),
  );
});

test("a key that is refused is traced to where it came from, and a missing one is asked for", async () => {
  await withServer(fakeGateway(finished), (url) =>
    inFolder(async (cwd) => {
      const refused = await runLine(["generate", "lyrics", "x", "--url", url], { cwd, env: { GENWAY_KEY: "other" } });
      assert.deepEqual([refused.code, refused.noted], [1, "A valid API key is needed. (The key came from GENWAY_KEY.)"]);
      const missing = await runLine(["generate", "lyrics", "x", "--url", url], { cwd });
      assert.match(missing.noted, /set GENWAY_KEY/);
    }),
  );
});

test("Ctrl-C before the submit starts nothing", async () => {
  const asked: string[] = [];
  const hanging: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === "/v1/models") response.end(JSON.stringify({ data: [{ id: "m", kinds: ["video"] }] }));
    else interrupt();
  };
  let interrupt = () => undefined as void;
  await withServer(hanging, (url) =>
    inFolder(async (cwd) => {
      writeFileSync(join(cwd, "pic.png"), "png");
      const shell = testShell({ cwd, env: { GENWAY_KEY: "my-key" } });
      interrupt = shell.interrupt;
      assert.equal(await runCommandLine(["generate", "video", "x", "--image", "pic.png", "--url", url], shell), 130);
      assert.deepEqual(shell.noted, ["Stopped before anything was started; it cost nothing."]);
    }),
  );
  assert.deepEqual(asked, ["GET /v1/models", "POST /v1/files"]);
});

test("what cannot be is refused with exit code 2 before the service is asked", async () => {
  for (const line of [
    ["video"],
    ["music", "x", "-o", "-"],
    ["music", "x", "--lyrics-file", "absent.txt"],
    ["video", "x", "--duration", "five"],
  ]) {
    assert.equal((await runLine(["generate", ...line])).code, 2, line.join(" "));
  }
});
