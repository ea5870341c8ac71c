import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync, crc32 } from "node:zlib";
import { loadConfig } from "../config/config.ts";
import { createGateway, type Gateway } from "../main.ts";
import { adapters } from "../providers/index.ts";
import { runLine, type TestShellOptions } from "./shell.fixture.ts";

const cwd = mkdtempSync(join(tmpdir(), "genway-cli-"));
const dataDir = join(cwd, "data");
const env = { GENWAY_DATA_DIR: dataDir, PORT: "0" };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let gateway: Gateway;

before(async () => {
  gateway = await createGateway({ config: loadConfig({ env, cwd, adapters }), log: silent, version: "test" });
});

after(async () => {
  await gateway.close();
  rmSync(cwd, { recursive: true });
});

async function genway(line: string, options: TestShellOptions = {}): Promise<{ code: number; printed: string; noted: string }> {
  const args = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
  return runLine(args, { cwd, env, ...options });
}

async function succeed(line: string): Promise<string> {
  const { code, printed, noted } = await genway(line);
  assert.equal(code, 0, `${line}: ${noted}`);
  return printed;
}

test("an operator makes an account, credits it, and gives it keys that can be revoked", async () => {
  assert.match(await succeed("account create shop --credit 5"), /^Account shop \([0-9a-f-]{36}\) has \$5\.00\.$/);
  assert.equal(await succeed("credit shop -2.5 --note back"), "-$2.50 credited to shop, which now has $2.50.");
  assert.match((await genway("credit shop -100")).noted, /more than the account has available/);
  assert.match(await succeed("account list"), /^[0-9a-f-]{36} +shop +\$2\.50 +\$0\.00 +\$0\.00 +open$/m);

  const made = JSON.parse(await succeed("key create --account shop --name web --scope video,files --ip 10.0.0.0/8 --expires 30d --json"));
  assert.deepEqual([made.scopes, made.ips, made.expires_at], [["video", "files"], ["10.0.0.0/8"], 1_800_000_000 + 30 * 86_400]);
  assert.match(await succeed("key create --account shop --name other"), /^gw_\w+$/);
  assert.match(
    await succeed("key list --account shop"),
    /^\w{16} +shop +web +…\w{4} +valid until 2027-\S+ \S+ +video, files +- +10\.0\.0\.0\/8 +-$/m,
  );
  assert.match(await succeed(`key revoke ${made.id}`), /is revoked\.$/);
  assert.match(await succeed("key list"), /web +…\w{4} +revoked /);

  const { code, noted } = await genway("key create --account nobody --name x");
  assert.deepEqual([code, noted], [1, "There is no account 'nobody'."]);
  assert.equal((await genway("key create --account shop --name x --scope vidoe")).code, 2);
});

test("a key's limits are set when it is made, shown in the list, and changed or taken away later", async () => {
  await succeed("account create limited --credit 1");
  const limits = "--requests-per-minute 60 --tokens-per-minute 20000 --concurrent-calls 1 --concurrent-tasks 2 --spend-cap-usd $0.5";
  const made = JSON.parse(await succeed(`key create --account limited --name trial ${limits} --json`));
  const limitsOf = (key: Record<string, unknown>) =>
    ["requests_per_minute", "tokens_per_minute", "concurrent_calls", "concurrent_tasks", "spend_cap_usd"].map((name) => key[name]);
  assert.deepEqual(limitsOf(made), [60, 20_000, 1, 2, 0.5]);
  assert.match(
    await succeed("key list --account limited"),
    / {2}60 requests a minute, 20000 tokens a minute, 1 call at a time, 2 tasks at a time, \$0\.00 of \$0\.50 spent$/m,
  );

  const some = JSON.parse(await succeed(`key limit ${made.id} --tokens-per-minute none --concurrent-calls 5 --json`));
  assert.deepEqual(limitsOf(some), [60, null, 5, 2, 0.5], "what is not named stays");
  const rest = "--requests-per-minute none --concurrent-calls none --spend-cap-usd none";
  assert.equal(
    await succeed(`key limit ${made.id} ${rest}`),
    `Key ${made.id} (trial, …${made.last_four}) has these limits: 2 tasks at a time.`,
  );
  assert.match(await succeed(`key limit ${made.id} --concurrent-tasks none`), /has no limits of its own\.$/);
});

test("limits that cannot be are refused before the service is asked", async () => {
  const wrong: [string, RegExp][] = [
    ["key limit abc", /needs at least one of --requests-per-minute, .*--spend-cap-usd\./],
    ["key limit abc --requests-per-minute 0", /--requests-per-minute must be a whole number from 1 /],
    ["key limit abc --concurrent-calls 1.5", /--concurrent-calls must be a whole number/],
    ["key create --account shop --name x --spend-cap-usd -1", /--spend-cap-usd must be a number from 0 /],
    ["key create --account shop --name x --tokens-per-minute many", /--tokens-per-minute must be .* not "many"/],
  ];
  for (const [line, says] of wrong) {
    const { code, noted } = await genway(line);
    assert.equal(code, 2, line);
    assert.match(noted, says);
  }
  assert.deepEqual(await genway("key limit abc --concurrent-calls 2"), { code: 1, printed: "", noted: "There is no such key." });
});

test("lists are cut at their limit and say so", async () => {
  const { printed, noted } = await genway("account list --limit 1");
  assert.equal(printed.split("\n").length, 2);
  assert.match(noted, /There are more/);
  const all = JSON.parse(await succeed("account list --limit 50 --json"));
  assert.deepEqual([all.object, all.has_more, all.data.length], ["list", false, 3]);
});

test("lyrics are written to a file with a key that the command line makes once, and again when it was revoked", async () => {
  const { code, printed, noted } = await genway('generate lyrics "the first snow" -o snow.txt');
  assert.deepEqual([code, printed], [0, "snow.txt"], noted);
  assert.match(noted, /lyrics: done\nCost \$0\.005\.$/);
  assert.match(readFileSync(join(cwd, "snow.txt"), "utf8"), /\[Verse/);

  const keyFile = join(dataDir, "command-line.key");
  const first = JSON.parse(readFileSync(keyFile, "utf8")).local as string;
  if (process.platform !== "win32") assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.match(await succeed('generate lyrics "rain" -o -'), /\[Chorus\]/);
  assert.equal(JSON.parse(readFileSync(keyFile, "utf8")).local, first);
  await succeed(`key revoke ${first.split("_")[1]}`);
  await succeed('generate lyrics "sun" -o sun.txt');
  assert.notEqual(JSON.parse(readFileSync(keyFile, "utf8")).local, first);

  assert.match((await genway('generate lyrics "x" --account nobody')).noted, /no account 'nobody'\. .*genway account create nobody/);
});

test("a video is made from a picture of this machine, and shown with its attempts", { timeout: 90_000 }, async () => {
  writeFileSync(join(cwd, "pic.png"), redSquare());
  assert.equal(await succeed('generate video "a slow pan" --image pic.png --duration 1 --aspect 1:1 -o pan.mp4'), "pan.mp4");
  assert.equal(readFileSync(join(cwd, "pan.mp4")).subarray(4, 8).toString(), "ftyp");
  const list = await succeed("task list --kind video --status success");
  const [, id = ""] = /^([0-9a-f-]{36}) +video +local +SUCCESS +100% .* \$0\.01 +local$/m.exec(list) ?? [];
  const shown = await succeed(`task show ${id}`);
  assert.match(shown, /^video +video\/mp4 .*\/assets\//m);
  assert.match(shown, /^1 +local +\S+ +ENDED/m);
  assert.equal(JSON.parse(await succeed(`task show ${id} --json`)).attempts.length, 1);
  assert.deepEqual(await genway(`task cancel ${id}`), { code: 1, printed: "", noted: "The task has already finished." });
});

test("Ctrl-C cancels the task and says what it cost", { timeout: 90_000 }, async () => {
  const { code, noted } = await genway('generate music "a long song" -o long.mp3', { onNote: (_line, shell) => shell.interrupt() });
  assert.equal(code, 130);
  const [, id = ""] = /Task (\S+) is cancelled and cost \$0\.00\.$/.exec(noted) ?? [];
  assert.match(await succeed(`task show ${id}`), /^failure +The task was cancelled\. \(cancelled\)$/m);
});

test("a client without the admin key sees only its own tasks", async () => {
  const key = await succeed("key create --account shop --name own");
  const elsewhere = { env: { GENWAY_URL: gateway.url, GENWAY_DATA_DIR: join(cwd, "none"), GENWAY_KEY: key } };
  assert.deepEqual(await genway("task list", elsewhere), { code: 0, printed: "", noted: "There are no such tasks." });
  assert.match((await genway("account list", elsewhere)).noted, /needs the admin key/);
});

test("a provider that is switched off takes no work until it is on again", async () => {
  assert.match(await succeed("provider off local"), /^Provider local is off until/);
  assert.match(await succeed("provider list"), /^local +off +completion, .*, video, music, lyrics /m);
  const { code, noted } = await genway('generate lyrics "x"');
  assert.deepEqual([code, noted], [1, "No provider for this model is available now."]);
  assert.equal(await succeed("provider on local"), "Provider local is on.");
  assert.match((await genway("provider off nobody")).noted, /no provider 'nobody'/);
});

test("a new admin key works at once, and the old one no longer", async () => {
  const opens = async (key: string) =>
    (await fetch(`${gateway.url}/admin/v1/providers`, { headers: { authorization: `Bearer ${key}` } })).status === 200;
  assert.ok(await opens(gateway.adminKey ?? ""));
  const { printed, noted } = await genway("admin-key --reset");
  assert.ok(await opens(printed));
  assert.ok(!(await opens(gateway.adminKey ?? "")));
  assert.doesNotMatch(noted, /does not take it/);
});

test("doctor finds the running service well", async () => {
  const { printed } = await genway("doctor");
  assert.match(printed, new RegExp(`^ok +service +version test at ${gateway.url}, process ${process.pid}$`, "m"));
  assert.match(printed, /^ok +ready: store +ok$/m);
  assert.match(printed, /^ok +master key +mode 600$/m);
});

test("a start that cannot have its port ends with exit code 1 and says what to do", { timeout: 90_000 }, async () => {
  const { port } = new URL(gateway.url);
  const entry = fileURLToPath(new URL("genway.ts", import.meta.url));
  const child = spawn(process.execPath, [entry, "start"], {
    cwd,
    env: { ...process.env, PORT: port, GENWAY_DATA_DIR: join(cwd, "second") },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = await once(child, "close");
  assert.equal(code, 1, said);
  assert.match(said, new RegExp(`^Port ${port} is taken by another program`, "m"));
});

/** A picture of 64 × 64 red points. */
function redSquare(): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0]);
  const rows = Buffer.concat(
    Array.from({ length: 64 }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(192, Buffer.from([255, 0, 0]))])),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
