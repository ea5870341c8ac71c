import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { writeRunFile } from "../config/run-file.ts";
import { adminClient, findGateway } from "./connection.ts";
import { inFolder, testShell } from "./shell.fixture.ts";

const run = { pid: process.pid, url: "http://0.0.0.0:4000", token: "run-token" };

test("the service on the data folder is found, with its token, at an address of this machine", async () => {
  await inFolder(async (dataDir) => {
    writeRunFile(dataDir, run);
    const shell = testShell({ env: { GENWAY_DATA_DIR: dataDir } });
    assert.deepEqual(findGateway(shell), {
      url: "http://127.0.0.1:4000",
      dataDir,
      adminKey: { text: "run-token", from: "the data folder" },
      isOurs: true,
    });
    assert.equal(findGateway(shell, "http://localhost:4000/").isOurs, true);
  });
});

test("the token of the data folder is never shown to another service", async () => {
  await inFolder(async (dataDir) => {
    writeRunFile(dataDir, run);
    const env = { GENWAY_DATA_DIR: dataDir, GENWAY_URL: "https://gen.example/base/" };
    assert.deepEqual(findGateway(testShell({ env })), { url: "https://gen.example/base", dataDir, adminKey: null, isOurs: false });
    assert.throws(() => adminClient(testShell({ env })), /needs the admin key of https:\/\/gen\.example\/base: set GENWAY_ADMIN_KEY/);
    const { adminKey } = findGateway(testShell({ env: { ...env, GENWAY_ADMIN_KEY: "mine" } }));
    assert.deepEqual(adminKey, { text: "mine", from: "GENWAY_ADMIN_KEY" });
  });
});

test("a run file whose process is gone counts as not running", async () => {
  await inFolder(async (dataDir) => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeRunFile(dataDir, { ...run, pid });
    assert.throws(
      () => findGateway(testShell({ env: { GENWAY_DATA_DIR: dataDir } })),
      /Genway is not running: start it with `npm start`\./,
    );
  });
});

test("an address that is none is refused as typed wrong", () => {
  for (const url of ["localhost:8787", "ftp://x", ""]) assert.throws(() => findGateway(testShell(), url), /is no address of a service/);
});
