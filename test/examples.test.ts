import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startGateway } from "./support/gateway.ts";

const root = join(import.meta.dirname, "..");
const routes = "routes: [{ provider: local }]";
const gateway = await startGateway({
  yaml: `outbound: { allow: [127.0.0.0/8] }
local: true
models:
  film: { kinds: [video], ${routes}, price: { per_second: 0.01 } }
  chirp-v3-0: { kinds: [music], ${routes}, price: { per_call: 0.05 } }
  lyrics: { kinds: [lyrics], ${routes}, price: { per_call: 0.005 } }
  dall-e: { kinds: [image], ${routes}, price: { per_image: 0.01 } }
  any: { kinds: [chat], ${routes}, price: { input_per_million: 0.1, output_per_million: 0.4 } }
`,
});
after(() => gateway.end());
const { key } = await gateway.customer(5);

/** What each example says at its end, and the files it leaves. */
const examples: Record<string, { says: RegExp; files?: string[] }> = {
  "typescript/song.ts": {
    says: /^It will cost 0\.05 USD\.[\s\S]*song-2\.mp3: \d+ bytes\nDone for 0\.05 USD\.\n$/,
    files: ["song-1.mp3", "song-2.mp3"],
  },
  "typescript/picture-to-video.ts": { says: /boat\.mp4: \d+ bytes\n$/, files: ["boat.mp4", "boat.png"] },
  "typescript/chat.ts": { says: /\w+/ },
  "typescript/webhook.ts": { says: /task\.succeeded at 2\d{3}-/ },
  "python/song.py": { says: /snow-2\.mp3: \d+ bytes\nDone for 0\.05 USD\.\n$/, files: ["snow-1.mp3", "snow-2.mp3"] },
  "python/picture.py": { says: /^fox\.png: \d+ bytes for 0\.01 USD\n400 invalid_request: 'prompt' is required/, files: ["fox.png"] },
  "python/chat.py": { says: /\w+/ },
};

const lacksPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status !== 0 && "python3 is not found";
const lacksOpenAi =
  lacksPython ||
  (spawnSync("python3", ["-c", "import openai"], { stdio: "ignore" }).status !== 0 && "the Python package openai is not found");

for (const [name, { says, files = [] }] of Object.entries(examples)) {
  const skip = name === "python/chat.py" ? lacksOpenAi : name.startsWith("python/") && lacksPython;
  test(`${name} does what it says`, { skip, timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "genway-example-"));
    try {
      const { code, printed, noted } = await run(name, folder);
      assert.equal(code, 0, noted);
      assert.match(printed, says);
      assert.deepEqual(globSync("*", { cwd: folder }).toSorted(), files);
      for (const file of files) assert.ok(statSync(join(folder, file)).size > 1000, file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test("every example is run, and listed", () => {
  const all = globSync(["typescript/*.ts", "python/*.py"], { cwd: join(root, "examples") }).map((file) => file.replaceAll("\\", "/"));
  assert.deepEqual(all.toSorted(), Object.keys(examples).toSorted());
});

async function run(name: string, cwd: string): Promise<{ code: number | null; printed: string; noted: string }> {
  const file = join(root, "examples", name);
  const [command, args] = name.endsWith(".py") ? ["python3", [file]] : [process.execPath, ["--conditions=genway-source", file]];
  const env = { ...process.env, GENWAY_URL: gateway.url, GENWAY_KEY: key, NO_COLOR: "1", PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let noted = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (noted += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed, noted };
}
