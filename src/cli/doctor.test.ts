import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { checkDataFolder, checkNode, checkPackages, checkPort, checkSpace } from "./doctor-machine.ts";
import { inFolder, runLine, withServer } from "./shell.fixture.ts";

test("a Node below the least version is wrong", () => {
  assert.deepEqual(
    ["22.17.9", "22.18.0", "24.0.0", "20.19.0"].map((version) => checkNode(version, ">=22.18").verdict),
    ["wrong", "ok", "ok", "wrong"],
  );
});

test("each missing package is named with how to get it, and is wrong only where it is needed", () => {
  const resolve = (name: string) => {
    if (name === "absent/package.json") throw Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
    if (name === "no-main/package.json") throw Object.assign(new Error("no"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
    return name;
  };
  const [needed, ...more] = checkPackages(["there", "no-main", "absent"], true, resolve);
  assert.deepEqual(more, []);
  assert.equal(needed?.verdict, "wrong");
  assert.match(needed?.says ?? "", /^absent is not installed: npm install --include=optional/);
  assert.equal(checkPackages(["absent"], false, resolve)[0]?.verdict, "note");
  assert.deepEqual(
    checkPackages(["there"], true, resolve).map(({ verdict }) => verdict),
    ["ok"],
  );
});

test("little room is worth a note, too little is wrong", () => {
  assert.deepEqual(
    [50, 500, 5000].map((mebibytes) => checkSpace(mebibytes * 2 ** 20).verdict),
    ["wrong", "note", "ok"],
  );
});

test(
  "a master key that everybody can read is wrong, and the finding says how to mend it",
  { skip: process.platform === "win32" },
  async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "master.key");
      writeFileSync(path, "x");
      const verdictAt = async (mode: number) => {
        chmodSync(path, mode);
        return (await checkDataFolder(folder, {})).find(({ what }) => what === "master key");
      };
      assert.equal((await verdictAt(0o600))?.verdict, "ok");
      assert.equal((await verdictAt(0o640))?.verdict, "note");
      const open = await verdictAt(0o644);
      assert.deepEqual([open?.verdict, open?.says.endsWith(`chmod 600 ${path}`)], ["wrong", true]);
    });
  },
);

test("a data folder that is a file is wrong, one that is not there yet is not", async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, "file"), "");
    assert.deepEqual(
      (await checkDataFolder(join(folder, "file"), {})).map(({ verdict }) => verdict),
      ["wrong"],
    );
    assert.deepEqual(
      (await checkDataFolder(join(folder, "none"), {})).map(({ verdict }) => verdict),
      ["note"],
    );
  });
});

test("a port that another program has is wrong, unless that is Genway itself", async () => {
  await withServer(
    () => undefined,
    async (url) => {
      const port = Number(new URL(url).port);
      assert.equal((await checkPort("127.0.0.1", port, null)).verdict, "wrong");
      assert.deepEqual(await checkPort("127.0.0.1", port, url), { verdict: "ok", what: "port", says: `${port} is used by Genway itself` });
    },
  );
  assert.equal((await checkPort("127.0.0.1", 0, null)).verdict, "ok");
});

test("doctor lists every problem of the configuration with its place and exits with 1", async () => {
  await inFolder(async (cwd) => {
    writeFileSync(join(cwd, "genway.yaml"), "modles: {}\nmodels:\n  a: { kinds: [video], routes: [{ provider: nobody }] }\n");
    mkdirSync(join(cwd, "data"));
    const { code, printed } = await runLine(["doctor"], { cwd, env: { PORT: "0" } });
    assert.equal(code, 1);
    assert.match(printed, /^wrong +configuration +genway\.yaml:1:1 +modles: is not a setting here; did you mean "models"\?$/m);
    assert.match(printed, /^wrong +configuration +genway\.yaml:3:\d+ +models\.a\.price: /m);
    assert.match(printed, /\d things are wrong\.$/);
    const json = JSON.parse((await runLine(["doctor", "--json"], { cwd, env: { PORT: "0" } })).printed) as {
      ok: boolean;
      findings: object[];
    };
    assert.equal(json.ok, false);
    assert.ok(json.findings.length > 5);
  });
});
