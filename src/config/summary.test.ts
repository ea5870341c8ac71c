import assert from "node:assert/strict";
import { test } from "node:test";
import { loadText } from "./config.fixture.ts";
import { explainConfig } from "./config.ts";

test("the summary tells what is configured and shows no secret", async () => {
  const env = { KEY: "sk-0123456789abcdefWXYZ", SHORT: "hush-hush", GENWAY_ADMIN_KEY: "admin-".repeat(8) };
  const config = await loadText(
    `
providers:
  openai: { type: openai-compatible, base_url: https://up.example/v1, keys: ["\${KEY}", "\${SHORT}"], limits: { concurrent: 50, per_minute: 600 } }
models:
  gpt-4o-mini:
    kinds: [chat, completion]
    routes: [{ provider: openai, model: spare, priority: 1 }, { provider: openai }]
    price: { input_per_million: 0.15, output_per_million: 0.60 }
    max_output_tokens: 4096
  gift: { kinds: [lyrics], routes: [{ provider: openai }], price: free }
store: { url: "postgres://genway:pass-word@db.example/genway?sslmode=require&token=tok-en" }
media: { url: "s3://bucket/prefix?endpoint=https://s3.example&access_key_id=AKIA&secret_access_key=s3-cret" }
redis_url: "redis://:red-is@cache.example"
`,
    env,
  );
  const said = explainConfig(config);
  assert.match(said, /listen +127\.0\.0\.1:8787/);
  assert.match(said, /openai +openai-compatible +https:\/\/up\.example\/v1 +2 keys \*\*\*\*WXYZ \*\*\*\* +50 at once, 600 a minute/);
  assert.match(
    said,
    /gpt-4o-mini +chat, completion +USD 0\.15 input_per_million \+ 0\.6 output_per_million +by openai, then openai as spare +up to 4096 tokens/,
  );
  assert.match(said, /gift +lyrics +free +by openai/);
  assert.match(said, /store +postgres:\/\/genway:\*\*\*\*@db\.example\/genway\?sslmode=require/);
  assert.match(said, /deadlines .*video 1h/);
  for (const secret of ["sk-0123", "hush", "admin-admin", "pass-word", "tok-en", "s3-cret", "red-is"])
    assert.ok(!said.includes(secret), secret);
});
