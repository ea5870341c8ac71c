import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { after, test } from "node:test";
import { makeAdminKey } from "../../src/config/admin-key.ts";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { openTab, type SessionRecord } from "./browser-tab.ts";

const { gateway, clock, end } = await startLabGateway({ env: {} });
const local = await startGateway();
after(async () => {
  await end();
  await local.end();
});
const adminKey = gateway.adminKey ?? "";

test("in local mode whoever sits at this machine is its operator, without signing in", async () => {
  const tab = openTab(local.url);
  const session = await tab.session();
  assert.deepEqual([session.role, session.account?.name, session.local], ["operator", "local", true]);
  assert.equal((await tab.call("GET", "/admin/v1/accounts")).status, 200);
  assert.equal((await tab.call("POST", "/admin/v1/accounts", { name: "made in a tab" })).status, 200);
  assert.equal((await tab.call("GET", "/v1/balance")).status, 200);
});

test("a page of another site, or of another port of this machine, does not become operator", async () => {
  const client = createClient(local.url, null);
  const others: Record<string, string>[] = [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, {}];
  for (const headers of others) {
    const { body, headers: told } = await client.get<SessionRecord>("/console/session", { headers });
    assert.equal(body.role, null, JSON.stringify(headers));
    assert.deepEqual(told.getSetCookie(), []);
  }
  // A name of the attacker's that was made to lead here.
  const rebound = { host: "rebound.example", "sec-fetch-site": "same-origin" };
  const [reply] = (await once(request(`${local.url}/console/session`, { headers: rebound }).end(), "response")) as [IncomingMessage];
  assert.equal(reply.headers["set-cookie"], undefined);
  reply.resume();
});

test("the cookie is out of reach of scripts and other sites, and secure where TLS is spoken", async () => {
  const sign = (origin: string) =>
    createClient(gateway.url, null).post("/console/session", { key: adminKey }, { headers: { origin, host: new URL(origin).host } });
  const [plain = ""] = (await sign(gateway.url)).headers.getSetCookie();
  assert.match(plain, /; HttpOnly; SameSite=Strict$/);
  const [secure = ""] = (await sign(gateway.url.replace("http:", "https:"))).headers.getSetCookie();
  assert.match(secure, /; Secure$/);
});

test("the admin key makes an operator, a client key shows its account, and a wrong key is refused", async () => {
  const operator = openTab(gateway.url);
  assert.equal((await operator.session()).role, null);
  assert.equal((await operator.signIn(adminKey)).body.role, "operator");
  assert.equal((await operator.call("GET", "/admin/v1/keys")).status, 200);

  const customer = await gateway.customer(5);
  const client = openTab(gateway.url);
  const { body } = await client.signIn(customer.key);
  assert.deepEqual([body.role, body.account?.id], ["client", customer.account]);
  assert.equal((await client.call<{ available_usd: number }>("GET", "/v1/balance")).body.available_usd, 5);
  assert.equal((await client.call("GET", "/admin/v1/keys")).status, 403);

  const stranger = openTab(gateway.url);
  assert.equal((await stranger.signIn(`${adminKey}x`)).status, 401);
  assert.equal((await stranger.call("GET", "/v1/balance")).status, 401);
});

test("a change needs the token of the session and our own origin; null is nobody's origin", async () => {
  const tab = openTab(gateway.url);
  await tab.signIn(adminKey);
  const change = (headers: Record<string, string>) => tab.call("POST", "/admin/v1/accounts", { name: `n ${Math.random()}` }, headers);
  assert.equal((await change({})).status, 200);
  const forgeries: Record<string, string>[] = [
    { "x-genway-csrf": "" },
    { "x-genway-csrf": "x".repeat(32) },
    { origin: "null" },
    { origin: "http://evil.example" },
    { origin: gateway.url.replace(/:\d+$/, ":1") },
  ];
  for (const headers of forgeries) assert.equal((await change(headers)).status, 403, JSON.stringify(headers));
  assert.equal((await tab.call("DELETE", "/console/session", undefined, { origin: "null" })).status, 403);
  const forged = await createClient(gateway.url, null).post(
    "/console/session",
    { key: adminKey },
    { headers: { origin: "http://evil.example" } },
  );
  assert.equal(forged.status, 403);
});

test("operators ask on behalf of the account they name", async () => {
  const { account } = await gateway.customer(7);
  const tab = openTab(gateway.url);
  await tab.signIn(adminKey);
  assert.equal((await tab.call("GET", "/v1/balance")).status, 400);
  assert.equal((await tab.call("GET", "/v1/balance", undefined, { "x-genway-account": "nobody" })).status, 404);
  const { body } = await tab.call<{ available_usd: number }>("GET", "/v1/balance", undefined, { "x-genway-account": account });
  assert.equal(body.available_usd, 7);
});

test("a client cannot reach another account by naming it", async () => {
  const [own, other] = [await gateway.customer(1), await gateway.customer(2)];
  const tab = openTab(gateway.url);
  await tab.signIn(own.key);
  const { body } = await tab.call<{ available_usd: number }>("GET", "/v1/balance", undefined, { "x-genway-account": other.account });
  assert.equal(body.available_usd, 1);
});

test("a session ends with its key, with its time, and when somebody signs out", async () => {
  const { account } = await gateway.customer(1);
  const made = (await gateway.admin("POST", "/admin/v1/keys", { account, name: "short" })).body;
  const tab = openTab(gateway.url);
  await tab.signIn(String(made["key"]));
  await gateway.admin("DELETE", `/admin/v1/keys/${String(made["id"])}`);
  assert.equal((await tab.call("GET", "/v1/balance")).status, 401);
  assert.equal((await tab.session()).role, null);

  const operator = openTab(gateway.url);
  await operator.signIn(adminKey);
  await operator.signOut();
  assert.equal(operator.cookie(), "genway_session=");
  assert.equal((await operator.call("GET", "/admin/v1/keys")).status, 401);

  await operator.signIn(adminKey);
  clock.advance(12 * 3_600_000 + 1);
  assert.equal((await operator.call("GET", "/admin/v1/keys")).status, 401);
});

test("a new admin key ends the sessions of the old one", async () => {
  const tab = openTab(local.url);
  await tab.signIn(local.adminKey ?? "");
  assert.equal((await tab.session()).name, "admin");
  makeAdminKey(local.dataDir);
  assert.notEqual((await tab.session()).name, "admin");
});

test("a cookie that was changed is none", async () => {
  const tab = openTab(gateway.url);
  await tab.signIn(adminKey);
  const cookie = tab.cookie();
  const changed = `${cookie.slice(0, -2)}${cookie.endsWith("A") ? "B" : "A"}x`;
  for (const value of [changed, "genway_session=", "genway_session=s1.00000000.AAAA", "genway_session=%00"])
    assert.equal((await tab.call("GET", "/admin/v1/keys", undefined, { cookie: value })).status, 401, value);
});

test("what an operator did is written down under their name", async () => {
  const tab = openTab(local.url);
  await tab.session();
  await tab.call("POST", "/admin/v1/accounts", { name: "audited" });
  const { body } = await local.admin("GET", "/admin/v1/audit?limit=1");
  const [entry] = body["data"] as { actor: string; act: string }[];
  assert.deepEqual([entry?.actor, entry?.act], ["local", "account.create"]);
});
