import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readArguments } from "./arguments.ts";
import { commands, findCommand } from "./commands.ts";
import { inFolder, runLine } from "./shell.fixture.ts";

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  assert.deepEqual(await runLine(["--version"]), { code: 0, printed: version, noted: "" });
});

test("without a command, and with help, every command is listed", async () => {
  for (const line of [[], ["help"], ["--help"]]) {
    const { code, printed } = await runLine(line);
    assert.equal(code, 0);
    for (const { name } of commands) assert.ok(printed.includes(`genway ${name}`), name);
  }
});

test("the help of a command names its options, and that of a group its commands", async () => {
  const { printed } = await runLine(["help", "key", "create"]);
  assert.match(printed, /^genway key create --account NAME --name NAME \[options\]\n/);
  assert.match(printed, /--expires 30d +how long it is valid/);
  assert.equal((await runLine(["key", "create", "--help"])).printed, printed);
  for (const line of [
    ["help", "key"],
    ["key", "--help"],
  ]) {
    const group = await runLine(line);
    assert.equal(group.code, 0);
    assert.match(group.printed, /genway key revoke ID/);
    assert.doesNotMatch(group.printed, /genway start/);
  }
});

test("an unknown command is answered with a suggestion and exit code 2", async () => {
  const wrong: [string[], RegExp][] = [
    [["keey", "list"], /There is no command "keey": did you mean "key"\?/],
    [["key", "creat"], /There is no command "key creat": did you mean "create"\?/],
    [["key"], /genway key needs one of: create, list, limit, revoke\./],
    [["help", "nonsense"], /There is no command "nonsense"/],
    [["--url", "x", "key", "list"], /the name of a command comes first/],
  ];
  for (const [line, says] of wrong) {
    const { code, printed, noted } = await runLine(line);
    assert.equal(code, 2, line.join(" "));
    assert.equal(printed, "");
    assert.match(noted, says);
  }
});

test("every example of the help is a line that its command accepts", () => {
  for (const command of commands) {
    const line = command.example.replace(/^\w+=\S+ /, "");
    const [program, ...args] = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
    assert.equal(program, "genway");
    const found = findCommand(args);
    assert.equal(found?.command.name, command.name);
    assert.notEqual(readArguments(command, found?.rest ?? []), "help");
  }
});

test("the documentation shows every command and names every option", () => {
  const page = readFileSync(new URL("../../docs/command-line.md", import.meta.url), "utf8");
  for (const { name, options } of commands) {
    assert.match(page, new RegExp(`^(\\w+=\\S+ )?genway ${name}\\b`, "m"), name);
    for (const option of Object.keys(options)) assert.ok(page.includes(`--${option}`), `${name} --${option}`);
  }
});

test("commands that need the service say how to start it", async () => {
  await inFolder(async (cwd) => {
    for (const line of [
      ["account", "list"],
      ["task", "list"],
      ["generate", "lyrics", "snow"],
    ]) {
      const { code, noted } = await runLine(line, { cwd });
      assert.equal(code, 1);
      assert.match(noted, /^Genway is not running: start it with `npm start`\./);
    }
  });
});

test("the admin key is not reset where the environment holds it, or where there is no data folder", async () => {
  await inFolder(async (cwd) => {
    const held = await runLine(["admin-key", "--reset"], { cwd, env: { GENWAY_ADMIN_KEY: "x".repeat(32), GENWAY_DATA_DIR: cwd } });
    assert.equal(held.code, 1);
    assert.match(held.noted, /GENWAY_ADMIN_KEY is set/);
    const absent = await runLine(["admin-key", "--reset"], { cwd });
    assert.equal(absent.code, 1);
    assert.match(absent.noted, /There is no data folder/);
    assert.equal((await runLine(["admin-key"], { cwd })).code, 2);
  });
});
