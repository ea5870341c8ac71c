import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;
const page = "https://studio.example";

before(async () => {
  gateway = await startGateway({
    yaml: `local: true\nserver: { cors: ["${page}"] }\nmodels:\n  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free }\n`,
  });
});
after(() => gateway.end());

const ask = (origin: string, method = "GET") =>
  fetch(`${gateway.url}/v1/models`, {
    method,
    headers: {
      origin,
      ...(method === "OPTIONS" ? { "access-control-request-method": "GET", "access-control-request-headers": "authorization" } : {}),
    },
  });

test("a page of a listed origin may ask first, and then call", async () => {
  const preflight = await ask(page, "OPTIONS");
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), page);
  assert.equal(preflight.headers.get("access-control-allow-headers"), "authorization");
  assert.equal((await ask(page)).headers.get("access-control-allow-origin"), page);
});

test("a page of any other origin is told nothing", async () => {
  for (const origin of ["https://other.example", "null", `${page}.evil.example`]) {
    for (const method of ["GET", "OPTIONS"]) assert.equal((await ask(origin, method)).headers.get("access-control-allow-origin"), null);
  }
});
