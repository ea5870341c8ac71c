import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adapters as realAdapters } from "../providers/index.ts";
import { kinds } from "../core/kinds.ts";
import { adapters, inFolder, loadText, problemsOf, sentencesOf } from "./config.fixture.ts";
import { checkText, ConfigError, loadConfig } from "./config.ts";

const model = "models: { m: { kinds: [video], routes: [{ provider: p }], price: { per_call: 1 } } }";
const provider = "providers: { p: { type: runway, keys: [secret] } }";
const minimal = `${provider}\n${model}\n`;

test("without a file the gateway is in local mode and the built-in provider serves every kind", () =>
  inFolder((cwd) => {
    const config = loadConfig({ env: {}, cwd, adapters });
    assert.equal(config.mode, "local");
    assert.equal(config.file, null);
    assert.deepEqual([config.host, config.port, config.dataDir, config.adminKey], ["127.0.0.1", 8787, join(cwd, "data"), null]);
    assert.deepEqual(config.local, { enabled: true, gguf: null });
    assert.deepEqual(config.providers, {});
    assert.deepEqual(
      config.models.map(({ name, kinds: [kind] }) => `${name} ${kind}`),
      kinds.map((kind) => `* ${kind}`),
    );
    const price = (kind: string): unknown => config.models.find((entry) => entry.kinds.some((own) => own === kind))?.price;
    assert.deepEqual(price("video"), { per_second: 10_000_000 });
    assert.deepEqual(price("music"), { per_call: 50_000_000 });
    assert.deepEqual(price("chat"), { input_per_million: 100_000_000, output_per_million: 400_000_000 });
  }));

test("the environment sets address, folder, admin key and networks, and an empty variable counts as not set", () =>
  inFolder((cwd) => {
    const adminKey = "k".repeat(32);
    const env = {
      HOST: "::1",
      PORT: "0",
      GENWAY_DATA_DIR: "../there",
      GENWAY_ADMIN_KEY: adminKey,
      GENWAY_OUTBOUND_ALLOW: "10.0.0.0/8, ::1,",
      GENWAY_CONFIG: "",
    };
    const config = loadConfig({ env, cwd, adapters });
    assert.deepEqual([config.host, config.port, config.dataDir, config.adminKey], ["::1", 0, join(cwd, "../there"), adminKey]);
    assert.deepEqual(config.outboundAllow, ["10.0.0.0/8", "::1"]);
  }));

test("a wrong environment is refused by the name of each variable, without showing the key", () =>
  inFolder((cwd) => {
    const env = {
      HOST: "http://x",
      PORT: "70000",
      GENWAY_ADMIN_KEY: "short-secret",
      GENWAY_OUTBOUND_ALLOW: "10.0.0.0/8,home",
      GENWAY_CONFIG: "absent.yaml",
    };
    assert.throws(
      () => loadConfig({ env, cwd, adapters }),
      (error: unknown) => {
        assert(error instanceof ConfigError);
        assert.deepEqual(error.problems.map(({ file, path }) => `${file} ${path}`).toSorted(), [
          "environment GENWAY_ADMIN_KEY",
          "environment GENWAY_CONFIG",
          "environment GENWAY_OUTBOUND_ALLOW[1]",
          "environment HOST",
          "environment PORT",
        ]);
        assert.doesNotMatch(error.message, /short-secret/);
        return true;
      },
    );
  }));

test("GENWAY_CONFIG names the file, and ./genway.yaml is then left alone", () =>
  inFolder((cwd) => {
    writeFileSync(join(cwd, "genway.yaml"), "broken: [");
    writeFileSync(join(cwd, "other.yaml"), minimal);
    const config = loadConfig({ env: { GENWAY_CONFIG: "other.yaml" }, cwd, adapters });
    assert.equal(config.mode, "configured");
    assert.equal(config.file, join(cwd, "other.yaml"));
  }));

const unlimited = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null, concurrentTasks: null };

test("a small file gets every default", async () => {
  const { models, providers, ...rest } = await loadText(minimal);
  assert.deepEqual(providers, {
    p: {
      type: "runway",
      baseUrl: null,
      keys: ["secret"],
      limits: { concurrent: null, perMinute: null },
      allowPrivateNetwork: false,
      webhookSecret: null,
      options: {},
    },
  });
  assert.deepEqual(models, [
    {
      name: "m",
      kinds: ["video"],
      routes: [{ provider: "p", model: null, priority: 0, weight: 1 }],
      price: { per_call: 1_000_000_000 },
      maxOutputTokens: null,
    },
  ]);
  const minute = 60_000;
  const usual = { completion: 10, chat: 10, embedding: 10, moderation: 10, rerank: 10, image: 10, speech: 10, transcription: 10 };
  const deadlineMs = { ...usual, music: 20, lyrics: 5, video: 60 };
  assert.deepEqual(rest, {
    mode: "configured",
    file: rest.file,
    dataDir: rest.dataDir,
    host: "127.0.0.1",
    port: 8787,
    adminKey: null,
    role: "both",
    workers: 1,
    server: { trustProxy: false, cors: [], hosts: [], publicUrl: null },
    outboundAllow: [],
    anonymousAccount: null,
    local: { enabled: false, gguf: null },
    limits: unlimited,
    calls: { deadlineMs: 10 * minute, silenceMs: minute, cache: null },
    tasks: {
      deadlineMs: Object.fromEntries(Object.entries(deadlineMs).map(([kind, minutes]) => [kind, minutes * minute])),
      retentionMs: 30 * 1440 * minute,
    },
    assets: { urlTtlMs: 1440 * minute, retentionMs: 30 * 1440 * minute },
    storeUrl: null,
    mediaUrl: null,
    mediaTarget: null,
    presignedDownloads: false,
    redisUrl: null,
    oidc: null,
    lines: { providers: { p: 1 }, models: { m: 2 } },
  });
});

test("a section left empty counts as absent", async () => {
  const config = await loadText(`${minimal}limits:\nserver: { public_url: null }\nanonymous_account: null\n`);
  assert.deepEqual(config.limits, unlimited);
  assert.equal(config.anonymousAccount, null);
});

test("the example file loads", () =>
  inFolder((cwd) => {
    const text = readFileSync(new URL("../../genway.example.yaml", import.meta.url), "utf8");
    writeFileSync(join(cwd, "genway.yaml"), text);
    const env = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, `dummy-${name}`]));
    const config = loadConfig({ env, cwd, adapters: realAdapters });
    assert.equal(config.mode, "configured");
    assert.ok(config.models.length >= 4);
    assert.ok(Object.keys(config.providers).length >= 3);
  }));

test("a commented-out setting of the example is valid too when it is switched on", () =>
  inFolder((cwd) => {
    const text = readFileSync(new URL("../../genway.example.yaml", import.meta.url), "utf8").replaceAll(/^# ?(?=[a-z_]+: )/gm, "");
    writeFileSync(join(cwd, "genway.yaml"), text);
    const urls = { DATABASE_URL: "postgres://u:p@db.example/genway", REDIS_URL: "redis://cache.example" };
    const env = { ...Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, `dummy-${name}`])), ...urls };
    const config = loadConfig({ env, cwd, adapters: realAdapters });
    assert.equal(config.storeUrl, urls.DATABASE_URL);
    assert.equal(config.redisUrl, urls.REDIS_URL);
    assert.match(config.mediaUrl ?? "", /^s3:/);
  }));

test("unknown settings are refused with the name that was probably meant", async () => {
  assert.deepEqual(await sentencesOf(`modles: {}\n${minimal}server: { trust-proxy: true, zzz: 1 }`), [
    'modles: is not a setting here; did you mean "models"?',
    'server.trust-proxy: is not a setting here; did you mean "trust_proxy"?',
    "server.zzz: is not a setting here; known: trust_proxy, cors, hosts, public_url",
  ]);
});

test("a problem names file, line, column and path, and the message lists all of them", async () => {
  const text = `providers:\n  openai: { type: runway, keys: [k] }\nmodels:\n  gpt-4o:\n    kinds: [chat]\n    price: free\n    routes:\n      - provider: opnai\n        wieght: 2\n`;
  const problems = await problemsOf(text);
  assert.deepEqual(problems, [
    {
      file: "genway.yaml",
      line: 9,
      column: 9,
      path: "models.gpt-4o.routes[0].wieght",
      says: 'is not a setting here; did you mean "weight"?',
    },
  ]);
  const [unknown] = await problemsOf(text.replace("wieght", "weight"));
  assert.deepEqual(unknown, {
    file: "genway.yaml",
    line: 8,
    column: 9,
    path: "models.gpt-4o.routes[0].provider",
    says: 'there is no provider "opnai"; did you mean "openai"?',
  });
  assert.equal(
    new ConfigError(problems).message,
    'The configuration is refused (1 problem):\n  genway.yaml:9:9  models.gpt-4o.routes[0].wieght: is not a setting here; did you mean "weight"?',
  );
});

test("an empty file, a list and broken YAML are refused at their place", async () => {
  assert.deepEqual(await sentencesOf("# nothing\n"), [": is empty"]);
  assert.match((await sentencesOf("- a\n"))[0] ?? "", /must be a mapping with providers, models, .* not a list/);
  const [broken, ...rest] = await problemsOf("models:\n  a: [1\n  b: 2\n");
  assert.match(broken?.says ?? "", /not valid YAML/);
  assert.deepEqual([broken?.line, rest.length], [3, 0]);
});

test("a name that stands twice is refused where it stands again", async () => {
  const [twice] = await problemsOf(`${minimal}local: true\nlocal: true\n`);
  assert.match(twice?.says ?? "", /unique/);
  assert.equal(twice?.line, 4);
});

test("a file that cannot be read is refused by name", () =>
  inFolder((cwd) => {
    assert.throws(() => loadConfig({ env: { GENWAY_CONFIG: "." }, cwd, adapters }), /\.  cannot be read: EISDIR/);
  }));

test("a process that does half of the work needs a database that the other half shares", () =>
  inFolder((folder) => {
    const load = (role: string) => loadConfig({ env: { GENWAY_ROLE: role }, cwd: folder, adapters });
    assert.equal(load("both").role, "both");
    assert.throws(() => load("worker"), /GENWAY_ROLE: worker needs a database that others share: set store\.url/);
    assert.throws(() => load("king"), /GENWAY_ROLE/);
    writeFileSync(join(folder, "genway.yaml"), `store: { url: "postgres://db.example/x" }\n${minimal}`);
    assert.equal(load("worker").role, "worker");
  }));

test("a text that is not in force is judged like the file, and shows nothing of the environment", () => {
  const env = { TOKEN: "s3cret-of-mine" };
  const check = (text: string) => checkText(text, { env, file: null, adapters });
  assert.deepEqual(check(minimal), { problems: [], providers: 1, models: 1 });
  const wrong = check(
    "providers:\n  p: { type: '${TOKEN}', keys: ['${MISSING}'] }\nmodels:\n  m: { kinds: [video], routes: [], price: free }\n",
  );
  assert.deepEqual(
    wrong.problems.map(({ line, path }) => [line, path]),
    [
      [2, "providers.p.type"],
      [2, "providers.p.keys[0]"],
      [4, "models.m.routes"],
    ],
  );
  assert.match(wrong.problems[0]?.says ?? "", /"\$\{TOKEN\}" is not a type/);
  assert.match(wrong.problems[1]?.says ?? "", /MISSING, which is not set/);
  assert.ok(!JSON.stringify(wrong).includes("s3cret"));
  for (const odd of ["", "- 1", "{", "\t", "null"]) assert.ok(check(odd).problems.length > 0, JSON.stringify(odd));
});
