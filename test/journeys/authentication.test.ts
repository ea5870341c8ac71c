import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { statusOf } from "../support/raw-http.ts";
import type { Balance, EnvelopeError, PlainError, VideoTask } from "../support/wire.ts";

const local = await startGateway();
const { client, gateway, clock, account, end } = await startLabGateway({ yaml: "anonymous_account: null\n" });
after(async () => {
  await end();
  await local.end();
});
const key = client.key ?? "";
const video = "/custom_video/model/gen4.5";

async function keyWith(limits: object): Promise<{ id: string; key: string }> {
  const { status, body } = await gateway.admin("POST", "/admin/v1/keys", { account, name: "limited", ...limits });
  assert.equal(status, 200, JSON.stringify(body));
  return { id: String(body["id"]), key: String(body["key"]) };
}

test("a key is taken in every header that clients know", async () => {
  const spellings: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER   ${key}  ` },
    { authorization: key },
    { "x-api-key": key },
    { "X-API-KEY": key },
    { "mj-api-secret": key },
    { "Api-Key": key },
  ];
  for (const headers of spellings)
    assert.equal((await client.get("/v1/balance", { key: null, headers })).status, 200, JSON.stringify(headers));
});

test("a key is gw_, an id, a secret and a checksum, and is shown once", async () => {
  const made = await keyWith({});
  assert.match(made.key, /^gw_[0-9A-Za-z]+_[0-9A-Za-z]+$/);
  assert.ok(made.key.includes(made.id));
  const { body } = await gateway.admin("GET", "/admin/v1/keys?limit=100");
  assert.ok(JSON.stringify(body).includes(made.id) && !JSON.stringify(body).includes(made.key));
});

test("a wrong key is 401 everywhere, and never anonymous, not even on this machine", async () => {
  const last = key.at(-1) === "a" ? "b" : "a";
  const wrong = ["nonsense", "gw_x_y", key.slice(0, -1) + last, key.slice(0, -1), `${key}x`, key.toUpperCase(), local.firstKey ?? "", "🔑"];
  for (const text of wrong) {
    const headers = { authorization: `Bearer ${encodeURIComponent(text)}` };
    const { status, body } = await client.get<PlainError>("/v1/balance", { key: null, headers });
    assert.deepEqual([status, body.error.code, body.error.type], [401, "invalid_key", "authentication_error"], text);
    assert.equal(
      (await createClient(local.url, null).get("/v1/balance", { headers: { "x-api-key": encodeURIComponent(`${text}z`) } })).status,
      401,
    );
  }
  for (const authorization of ["Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer null", "Bearer undefined"]) {
    const reply = await createClient(local.url, null).get("/v1/balance", { headers: { authorization } });
    assert.equal(reply.status, 401, authorization);
    assert.equal(reply.headers.get("www-authenticate"), "Bearer");
  }
});

test("a revoked or expired key stops working, and says which", async () => {
  const revoked = await keyWith({});
  assert.equal((await client.get("/v1/balance", { key: revoked.key })).status, 200);
  await gateway.admin("DELETE", `/admin/v1/keys/${revoked.id}`);
  const gone = await client.get<PlainError>("/v1/balance", { key: revoked.key });
  assert.deepEqual([gone.status, gone.body.error.code], [401, "invalid_key"]);
  assert.match(gone.body.error.message, /revoked/);

  const expiring = await keyWith({ expires_at: Math.floor(clock.now() / 1000) + 60 });
  assert.equal((await client.get("/v1/balance", { key: expiring.key })).status, 200);
  clock.advance(61_000);
  const late = await client.get<PlainError>("/v1/balance", { key: expiring.key });
  assert.equal(late.status, 401);
  assert.match(late.body.error.message, /expired/);
});

test("a key limited to groups is refused in the others, in their own words", async () => {
  const music = client.as((await keyWith({ scopes: ["musicA"] })).key);
  assert.equal((await music.post("/musicA/submit/music", { gpt_description_prompt: "x" })).status, 200);
  assert.equal((await music.post("/suno/fetch", { ids: [] })).status, 200);
  const { id } = (await client.post<VideoTask>(video, { prompt: "x" })).body;
  for (const reply of [
    await music.post<EnvelopeError>(video, { prompt: "x" }),
    await music.get<EnvelopeError>(`/custom_video/fetch/${id}`),
    await music.get<EnvelopeError>(`/custom_video/tasks/${id}`),
    await music.post<EnvelopeError>("/udio/submit/music", { gen_params: { prompt: "x" } }),
  ])
    assert.deepEqual([reply.status, reply.body.code, reply.body.error.type], [403, "not_allowed", "permission_error"], reply.text);
  assert.equal((await music.get("/v1/files")).status, 403);
  assert.equal((await music.get("/v1/tasks")).status, 403);
  assert.equal((await music.post(`/v1/tasks/${id}/cancel`)).status, 403);
  assert.equal((await music.get("/v1/webhooks")).status, 403);
  assert.equal((await client.post("/admin/v1/keys", {}, { key: null })).status, 401);
  const wrong = await gateway.admin("POST", "/admin/v1/keys", { account, name: "x", scopes: ["everything"] });
  assert.equal(wrong.status, 400);
});

test("a key limited to addresses works from those alone", async () => {
  assert.equal((await client.get("/v1/balance", { key: (await keyWith({ ips: ["127.0.0.1"] })).key })).status, 200);
  assert.equal((await client.get("/v1/balance", { key: (await keyWith({ ips: ["10.0.0.0/8", "127.0.0.0/8"] })).key })).status, 200);
  const away = await keyWith({ ips: ["10.0.0.0/8", "2001:db8::/32"] });
  const { status, body } = await client.get<PlainError>("/v1/balance", { key: away.key });
  assert.deepEqual([status, body.error.code], [403, "not_allowed"]);
  const spoofed = { "x-forwarded-for": "10.0.0.1", forwarded: "for=10.0.0.1", "x-real-ip": "10.0.0.1" };
  assert.equal((await client.get("/v1/balance", { key: away.key, headers: spoofed })).status, 403);
});

test("a changed key counts at once", async () => {
  const made = await keyWith({ scopes: ["musicB"] });
  assert.equal((await client.post("/musicA/fetch", { ids: [] }, { key: made.key })).status, 403);
  await gateway.admin("PATCH", `/admin/v1/keys/${made.id}`, { scopes: ["musicA"] });
  assert.equal((await client.post("/musicA/fetch", { ids: [] }, { key: made.key })).status, 200);
});

test("admin operations need the admin key: none is 401, a wrong one 401, a client's 403", async () => {
  const operations = ["accounts", "keys", "credits", "providers", "models", "tasks", "audit"].map((name) => `/admin/v1/${name}`);
  for (const path of operations) {
    assert.equal((await client.get<PlainError>(path, { key: null })).status, 401, path);
    assert.equal((await client.get<PlainError>(path, { key: "gw_wrong" })).status, 401, path);
    const { status, body } = await client.get<PlainError>(path);
    assert.deepEqual([status, body.error.code], [403, "not_allowed"], path);
    assert.equal((await createClient(local.url, null).get(path)).status, 401, `${path} in local mode`);
    assert.equal((await gateway.admin("GET", path)).status, 200, path);
  }
  const made = createClient(local.url, local.adminKey);
  assert.equal((await made.get("/admin/v1/accounts")).status, 200);
  assert.equal((await client.post("/admin/v1/credits", { account, amount_usd: 1000, note: "mine" })).status, 403);
});

test("in configured mode every client operation needs a key, before its body is looked at", async () => {
  const operations: [string, string][] = [
    ["POST", video],
    ["GET", "/custom_video/fetch/x"],
    ["POST", "/musicA/submit/music"],
    ["POST", "/suno/submit/lyrics"],
    ["POST", "/musicA/fetch"],
    ["GET", "/musicA/fetch/x"],
    ["POST", "/musicB/submit/music"],
    ["GET", "/musicB/fetch/x"],
    ["GET", "/v1/models"],
    ["GET", "/v1/tasks"],
    ["POST", "/v1/tasks/x/cancel"],
    ["GET", "/v1/tasks/x/events"],
    ["POST", "/v1/files"],
    ["GET", "/v1/files"],
    ["POST", "/v1/webhooks"],
    ["POST", "/v1/webhooks/secret"],
    ["POST", "/v1/quote"],
    ["GET", "/metrics"],
  ];
  for (const [method, path] of operations)
    assert.equal((await client.call(method, path, undefined, { key: null })).status, 401, `${method} ${path}`);
  assert.equal(
    (await client.call("POST", video, undefined, { key: null, raw: "{broken", headers: { "content-type": "application/json" } })).status,
    401,
  );
});

test("in local mode this machine needs no key, except to make a video", async () => {
  const { host } = new URL(local.url);
  const port = new URL(local.url).port;
  const balance = (headers: Record<string, string>) => statusOf(local.url, "GET /v1/balance", headers);
  for (const headers of [
    { host },
    { host: `localhost:${port}` },
    { host: `[::1]:${port}` },
    { host, origin: `http://localhost:3000` },
    { host, origin: local.url },
  ] as Record<string, string>[])
    assert.equal(await balance(headers), 200, JSON.stringify(headers));
  for (const headers of [
    { host: "gen.example" },
    { host: "127.0.0.1.gen.example" },
    { host: "localhost.gen.example" },
    { host: "10.0.0.1" },
    { host, origin: "https://gen.example" },
    { host, origin: "null" },
    { host, origin: "http://127.0.0.1.gen.example" },
    { host, origin: "http://localhost@gen.example" },
    { host, "sec-fetch-site": "cross-site" },
  ] as Record<string, string>[]) {
    assert.equal(await balance(headers), 401, JSON.stringify(headers));
    assert.equal(await balance({ ...headers, authorization: `Bearer ${local.firstKey}` }), 200, "with a key it does not matter");
  }
  assert.equal(await statusOf(local.url, "POST /custom_video/model/x", { host }, `{"prompt":"x"}`), 401);
});

test("in local mode on an open address nobody is anonymous", async () => {
  const open = await startGateway({ env: { HOST: "0.0.0.0" } });
  try {
    const at = open.url.replace("0.0.0.0", "127.0.0.1");
    assert.equal((await createClient(at, null).get("/v1/balance")).status, 401);
    assert.equal((await createClient(at, open.firstKey).get("/v1/balance")).status, 200);
  } finally {
    await open.end();
  }
});

test("an operator may name an account for those without a key, who then is charged, and a wrong key still is wrong", async () => {
  const named = await startGateway({
    yaml: "local: true\nanonymous_account: everybody\nmodels:\n  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: { per_call: 0.01 } }\n",
  });
  try {
    const anonymous = createClient(named.url, null);
    assert.equal((await anonymous.get("/v1/balance")).status, 401, "there is no such account yet");
    await named.admin("POST", "/admin/v1/accounts", { name: "everybody", credit_usd: 1 });
    assert.equal(
      (await anonymous.post("/musicA/submit/lyrics", { prompt: "x" }, { headers: { prefer: "wait=20", origin: "https://gen.example" } }))
        .status,
      200,
    );
    assert.equal((await anonymous.get<Balance>("/v1/balance")).body.used_usd, 0.01);
    assert.equal((await anonymous.get("/v1/balance", { key: "gw_wrong" })).status, 401);
    assert.equal((await anonymous.post("/custom_video/model/x", { prompt: "x" })).status, 401, "a video always needs a key");
    await anonymous.book.check();
  } finally {
    await named.end();
  }
});

test("no key is ever logged", () => {
  for (const { logged, text } of [
    { logged: gateway.logged, text: key },
    { logged: local.logged, text: local.firstKey ?? "" },
    { logged: gateway.logged, text: "lab-key" },
  ])
    assert.ok(!logged.join("\n").includes(text.slice(0, 30)));
});

test("every reply of this journey keeps the contract", () => client.book.check());
