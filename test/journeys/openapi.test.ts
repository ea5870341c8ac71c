import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { findChromium, openBrowser } from "../support/chromium.ts";
import { startGateway } from "../support/gateway.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, null);

type Parameter = { name: string; in: string; required?: boolean; schema: object };
type Operation = {
  summary?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  security?: Record<string, string[]>[];
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, object> };
};

const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;

/** The operations of the contract, group by group. */
const contract: Record<string, string[]> = {
  video: ["POST /custom_video/model/{}", "GET /custom_video/fetch/{}"],
  "music A": ["POST /musicA/submit/music", "POST /musicA/submit/lyrics", "POST /musicA/fetch", "GET /musicA/fetch/{}"],
  "music B": ["POST /musicB/submit/music", "GET /musicB/fetch/{}"],
  models: ["GET /v1/models", "GET /v1/models/{}"],
  balance: [
    "GET /v1/balance",
    "GET /v1/billing/usage",
    "GET /v1/dashboard/billing/subscription",
    "GET /v1/dashboard/billing/usage",
    "GET /api/usage/token",
  ],
  tasks: ["GET /v1/tasks", "GET /v1/tasks/{}", "POST /v1/tasks/{}/cancel", "DELETE /v1/tasks/{}", "GET /v1/tasks/{}/events"],
  files: ["POST /v1/files", "GET /v1/files", "GET /v1/files/{}", "DELETE /v1/files/{}"],
  assets: ["GET /assets/{}"],
  webhooks: [
    "GET /v1/webhooks",
    "POST /v1/webhooks",
    "GET /v1/webhooks/{}",
    "DELETE /v1/webhooks/{}",
    "POST /v1/webhooks/{}/rotate",
    "POST /v1/webhooks/{}/test",
    "POST /v1/webhooks/secret",
    "GET /v1/webhooks/{}/deliveries",
    "POST /v1/webhooks/deliveries/{}/resend",
  ],
  quote: ["POST /v1/quote"],
  health: ["GET /health", "GET /ready", "GET /metrics"],
  admin: [
    "POST /admin/v1/accounts",
    "GET /admin/v1/accounts",
    "PATCH /admin/v1/accounts/{}",
    "POST /admin/v1/keys",
    "GET /admin/v1/keys",
    "PATCH /admin/v1/keys/{}",
    "DELETE /admin/v1/keys/{}",
    "POST /admin/v1/credits",
    "GET /admin/v1/credits",
    "GET /admin/v1/providers",
    "GET /admin/v1/models",
    "GET /admin/v1/tasks",
    "GET /admin/v1/audit",
  ],
};

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test("the document is OpenAPI 3.1 and describes every operation of the contract", () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.ok(document.info.title !== "" && document.info.version !== "");
  const names = new Set(described.map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, "{}").replace(/\/$/, "")}`));
  for (const operation of Object.values(contract).flat()) assert.ok(names.has(operation), operation);
});

test("each operation has a summary, a group, its parameters and its replies", () => {
  for (const { path, method, operation } of described) {
    const name = `${method} ${path}`;
    assert.ok(operation.summary !== undefined && operation.summary.length > 3, name);
    assert.equal(operation.tags?.length, 1, name);
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter = ""]) => parameter);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
    assert.deepEqual(declared.map((parameter) => parameter.name).toSorted(), inPath.toSorted(), name);
    assert.ok(
      declared.every(({ required }) => required === true),
      name,
    );
    assert.ok(operation.responses["200"] !== undefined && operation.responses["default"] !== undefined, name);
    for (const { description } of Object.values(operation.responses)) assert.equal(typeof description, "string", name);
  }
});

test("what needs a key says so, what needs the admin's says that, and the schemes are described", () => {
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  for (const { path, method, operation } of described) {
    const named = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
    for (const scheme of named) assert.ok(schemes.includes(scheme), scheme);
    const expected = path.startsWith("/admin/")
      ? ["admin"]
      : /^\/(health|ready|metrics|assets|callbacks|console)/.test(path)
        ? []
        : ["key"];
    assert.deepEqual(named, expected, `${method} ${path}`);
  }
});

test("nothing in it points elsewhere, and every reference in it leads somewhere", () => {
  const text = JSON.stringify(document);
  for (const [, reference = ""] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.match(reference, /^#\//);
    const found = reference
      .slice(2)
      .split("/")
      .reduce<unknown>((at, part) => Reflect.get(Object(at), part.replaceAll("~1", "/").replaceAll("~0", "~")), document);
    assert.notEqual(found, undefined, reference);
  }
});

test("every operation of the document is really there", async () => {
  for (const { path, method } of described) {
    const address = path.replace(/\{[^}]+\}/g, "x");
    const { status, body } = await client.call<{ error?: { code: string } }>(method, address);
    assert.ok(status !== 405 && status !== 500, `${method} ${address} → ${status}`);
    // "not_found" may also mean that there is no such thing as x.
    if (status === 404) assert.ok(path.includes("{"), `${method} ${address} → ${JSON.stringify(body)}`);
  }
});

test("the readable page comes from this process alone", async () => {
  const page = await fetch(`${gateway.url}/docs`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.doesNotMatch(page.headers.get("content-security-policy") ?? "", /https?:|\w\.\w/);
  const html = await page.text();
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => new URL(link, page.url));
  assert.ok(links.length >= 3);
  for (const link of links) {
    assert.equal(link.origin, gateway.url);
    assert.equal((await fetch(link)).status, 200, link.href);
  }
});

test(
  "a browser shows the operations and asks nobody else",
  { skip: findChromium() === null && "no Chromium on this machine" },
  async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(`${gateway.url}/docs`);
      await page.getByText("/custom_video/model/{model}").first().waitFor({ timeout: 20_000 });
      assert.deepEqual(
        asked.filter((url) => !url.startsWith(gateway.url) && !url.startsWith("data:")),
        [],
      );
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  },
);

test("every reply of this journey keeps the contract", () => client.book.check());
