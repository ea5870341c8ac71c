import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adapters, inFolder, loadText, sentencesOf } from "./config.fixture.ts";
import { loadConfig } from "./config.ts";

const base = "local: true\nmodels: { m: { kinds: [video], routes: [{ provider: local }], price: free } }\n";

test("every section is read", async () => {
  const config = await loadText(
    `${base}
limits: { requests_per_minute: 600, tokens_per_minute: 90000, concurrent_calls: 8, concurrent_tasks: 20 }
calls: { deadline: 5m, silence: 30s, cache: { ttl: 1h, megabytes: 2 } }
server: { trust_proxy: true, cors: ["https://app.example", "*"], hosts: [Gen.Example, "gen.example:8787", "[::1]:80"], public_url: "https://gen.example/" }
outbound: { allow: [10.0.0.0/8, "fd00::/8"] }
anonymous_account: guests
tasks: { deadline: { video: 2h, chat: 90s }, retention: 7d }
assets: { url_ttl: 1.5h, retention: 60d }
store: { url: "\${DB}" }
media: { url: "s3://bucket/prefix?endpoint=https://s3.example&access_key_id=a&secret_access_key=b" }
redis_url: rediss://cache.example
`,
    { DB: "postgres://u:p@db/x", GENWAY_OUTBOUND_ALLOW: "127.0.0.1,10.0.0.0/8" },
  );
  assert.deepEqual(config.limits, { requestsPerMinute: 600, tokensPerMinute: 90_000, concurrentCalls: 8, concurrentTasks: 20 });
  assert.deepEqual(config.calls, { deadlineMs: 300_000, silenceMs: 30_000, cache: { ttlMs: 3_600_000, bytes: 2 * 1024 * 1024 } });
  assert.deepEqual(config.server, {
    trustProxy: true,
    cors: ["https://app.example", "*"],
    hosts: ["gen.example", "gen.example:8787", "[::1]:80"],
    publicUrl: "https://gen.example",
  });
  assert.deepEqual(config.outboundAllow, ["10.0.0.0/8", "fd00::/8", "127.0.0.1"]);
  assert.equal(config.anonymousAccount, "guests");
  assert.deepEqual(
    [config.tasks.deadlineMs["video"], config.tasks.deadlineMs["chat"], config.tasks.deadlineMs["image"]],
    [7_200_000, 90_000, 600_000],
  );
  assert.equal(config.tasks.retentionMs, 7 * 86_400_000);
  assert.deepEqual(config.assets, { urlTtlMs: 5_400_000, retentionMs: 60 * 86_400_000 });
  assert.deepEqual(
    [config.storeUrl, config.mediaUrl, config.redisUrl],
    ["postgres://u:p@db/x", "s3://bucket/prefix?endpoint=https://s3.example&access_key_id=a&secret_access_key=b", "rediss://cache.example"],
  );
});

test("addresses, origins, hosts and networks of the wrong form are refused without being shown", async () => {
  const said = await sentencesOf(`${base}
server: { cors: ["https://app.example/"], hosts: ["https://gen.example"], public_url: "gen.example" }
outbound: { allow: [10.0.0.0/33] }
store: { url: "mysql://u:hidden@db/x" }
media: { url: /var/hidden }
redis_url: hidden
`);
  assert.deepEqual(
    said.map((line) => line.split(":")[0]),
    ["server.cors[0]", "server.hosts[0]", "server.public_url", "outbound.allow[0]", "store.url", "media.url", "redis_url"],
  );
  assert.doesNotMatch(said.join(), /hidden/);
});

test("a duration needs a unit and a sensible length", async () => {
  const said = await sentencesOf(`${base}tasks: { deadline: { video: 600, image: "600" }, retention: 10 years }\n`);
  assert.equal(said.length, 3);
  for (const line of said) assert.match(line, /must be a duration with its unit, such as 30s/);
  assert.deepEqual(await sentencesOf(`${base}tasks: { retention: 0s }\nassets: { url_ttl: 100ms, retention: 4000d }\n`), [
    "tasks.retention: must be between 1s and 3650d",
    "assets.url_ttl: must be between 1s and 3650d",
    "assets.retention: must be between 1s and 3650d",
  ]);
});

test("limits must be positive whole numbers", async () => {
  assert.deepEqual(await sentencesOf(`${base}limits: { requests_per_minute: 0, concurrent_tasks: many }\n`), [
    "limits.requests_per_minute: must be a whole number of at least 1",
    "limits.concurrent_tasks: must be a whole number of at least 1, not text",
  ]);
});

test("a model file is found beside the configuration file, and must be there", () =>
  inFolder((cwd) => {
    writeFileSync(join(cwd, "genway.yaml"), base.replace("local: true", "local: { gguf: small.gguf }"));
    assert.throws(() => loadConfig({ env: {}, cwd, adapters }), /local\.gguf: there is no file .*small\.gguf/);
    writeFileSync(join(cwd, "small.gguf"), "");
    assert.deepEqual(loadConfig({ env: {}, cwd, adapters }).local, { enabled: true, gguf: join(cwd, "small.gguf") });
  }));
