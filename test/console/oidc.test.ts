import assert from "node:assert/strict";
import { after, test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { startGateway } from "../support/gateway.ts";
import { startIdentityProvider } from "./identity-provider.ts";
import { openTab, type Tab } from "./browser-tab.ts";

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const people = await startIdentityProvider("genway", "a secret of both", `${url}/console/oidc/callback`);
const gateway = await startGateway({
  env: { PORT: String(port), OIDC_SECRET: "a secret of both" },
  yaml: `models:
  chat-model: { kinds: [chat], routes: [{ provider: local }], price: free }
local: true
server: { public_url: "${url}" }
console:
  oidc:
    issuer: ${people.issuer}
    client_id: genway
    client_secret: \${OIDC_SECRET}
    label: Sign in with the test
    operators: [admins]
    viewers: [readers]
    accounts: { team: acme }
`,
});
after(async () => {
  await gateway.end();
  people.close();
});
await gateway.admin("POST", "/admin/v1/accounts", { name: "acme", credit_usd: 3 });

/** Goes there and comes back as a person; answers where they end up. */
async function signIn(tab: Tab, person: string, change: (address: string) => string = (address) => address): Promise<string> {
  const there = await fetch(`${url}/console/oidc`, { redirect: "manual" });
  assert.equal(there.status, 302);
  const [cookie = ""] = there.headers.getSetCookie();
  assert.match(cookie, /^genway_oidc=.*; Path=\/console\/oidc; .*HttpOnly; SameSite=Lax/);
  const back = await people.visit(there.headers.get("location") ?? "", person);
  const reply = await fetch(change(back), { redirect: "manual", headers: { cookie: cookie.split(";")[0] ?? "" } });
  tab.take(reply);
  return reply.headers.get("location") ?? `status ${reply.status}`;
}

test("the groups of a person decide what they see", async () => {
  people.groups.set("ada", ["others", "admins"]).set("ben", ["readers"]).set("cleo", ["team"]);
  const [operator, viewer, client] = [openTab(url), openTab(url), openTab(url)];
  for (const [tab, person] of [
    [operator, "ada"],
    [viewer, "ben"],
    [client, "cleo"],
  ] as const)
    assert.equal(await signIn(tab, person), "/console/");

  const session = await operator.session();
  assert.deepEqual([session.role, session.name, session.oidc], ["operator", "ada@people.example", "Sign in with the test"]);
  assert.equal((await operator.call("POST", "/admin/v1/accounts", { name: "by ada" })).status, 200);
  const { body } = await gateway.admin("GET", "/admin/v1/audit?limit=1");
  assert.equal((body["data"] as { actor: string }[])[0]?.actor, "ada@people.example");

  assert.equal((await viewer.session()).role, "viewer");
  assert.equal((await viewer.call("GET", "/admin/v1/accounts")).status, 200);
  assert.equal((await viewer.call("POST", "/admin/v1/accounts", { name: "by ben" })).status, 403);

  assert.equal((await client.session()).account?.name, "acme");
  assert.equal((await client.call<{ available_usd: number }>("GET", "/v1/balance")).body.available_usd, 3);
  assert.equal((await client.call("GET", "/admin/v1/accounts")).status, 403);
});

test("whoever is in none of the groups is told so", async () => {
  const tab = openTab(url);
  assert.equal(await signIn(tab, "stranger"), "/console/sign-in?problem=not_allowed");
  assert.equal((await tab.session()).role, null);
});

test("a way back that was not begun here, or was changed, leads nowhere", async () => {
  people.groups.set("ada", ["admins"]);
  const tab = openTab(url);
  assert.equal(await signIn(tab, "ada", (address) => address.replace(/state=[^&]+/, "state=other")), "/console/sign-in?problem=refused");
  assert.equal(await signIn(tab, "ada", (address) => address.replace(/code=[^&]+/, "code=other")), "/console/sign-in?problem=refused");
  const unasked = await fetch(`${url}/console/oidc/callback?code=x&state=y`, { redirect: "manual" });
  assert.equal(unasked.headers.get("location"), "/console/sign-in?problem=expired");
  assert.equal((await tab.session()).role, null);
});
