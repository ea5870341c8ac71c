import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { describeConfiguration } from "../../lab/configuration.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { sendRaw } from "../support/raw-http.ts";
import type { EnvelopeError, PlainError, VideoTask } from "../support/wire.ts";

const { client, gateway, lab, end } = await startLabGateway({ yaml: 'server: { cors: ["https://app.example"] }\n' });
after(end);
const video = "/custom_video/model/gen4.5";

/** Everything that can be reached, by the shape its errors have. */
const groups: Record<"envelope" | "plain", [string, string][]> = {
  envelope: [
    ["POST", video],
    ["GET", "/custom_video/fetch/x"],
    ["POST", "/musicA/submit/music"],
    ["POST", "/musicA/submit/lyrics"],
    ["POST", "/musicA/fetch"],
    ["POST", "/suno/submit/fetch"],
    ["GET", "/suno/fetch/x"],
    ["POST", "/musicB/submit/music"],
    ["GET", "/udio/fetch/x"],
  ],
  plain: [
    ["GET", "/v1/models"],
    ["GET", "/v1/models/x"],
    ["GET", "/v1/balance"],
    ["GET", "/v1/billing/usage"],
    ["GET", "/v1/dashboard/billing/usage"],
    ["GET", "/api/usage/token/"],
    ["GET", "/admin/v1/accounts"],
    ["POST", "/admin/v1/keys"],
    ["GET", "/admin/v1/tasks/x"],
  ],
};

test("each group words its errors in its own shape", async () => {
  for (const [method, path] of groups.envelope) {
    const { status, body } = await client.call<EnvelopeError>(method, path, undefined, { key: null });
    assert.equal(status, 401, path);
    const { error, ...envelope } = body;
    assert.deepEqual(envelope, { code: "invalid_key", message: error.message, data: null }, path);
    assert.deepEqual({ ...error, message: "" }, { message: "", type: "authentication_error", param: null, code: "invalid_key" });
  }
  for (const [method, path] of groups.plain) {
    const { status, body } = await client.call<PlainError>(method, path, undefined, { key: null });
    assert.equal(status, 401, path);
    assert.deepEqual(Object.keys(body), ["error"], path);
    assert.deepEqual({ ...body.error, message: "" }, { message: "", type: "authentication_error", param: null, code: "invalid_key" });
  }
});

test("an unknown address is not_found, a wrong method method_not_allowed with what is allowed", async () => {
  for (const path of [
    "/nope",
    "/v1",
    "/v2/completions",
    "/musicA",
    "/musicC/submit/music",
    "/admin",
    "/admin/v1/nope",
    "/assets",
    "/v1/tasks/x/nope",
    "/%2e%2e/etc",
  ]) {
    const { status, body } = await client.get<PlainError>(path);
    assert.deepEqual([status, body.error.code], [404, "not_found"], path);
  }
  for (const [method, path] of [...groups.envelope, ...groups.plain]) {
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((name) => name !== method)) {
      if (path.startsWith("/admin/") && other !== "PUT") continue;
      // The address of a batch without an id is that of a single query with one.
      const { status, body, headers } = await client.call<PlainError>(other, path);
      assert.deepEqual([status, body.error.code], [405, "method_not_allowed"], `${other} ${path}`);
      assert.ok(headers.get("allow")?.split(", ").includes(method), `${other} ${path}: ${headers.get("allow")}`);
    }
  }
});

test("what is no request at all is answered in the same shape, with a request id", async () => {
  const head = `host: 127.0.0.1\r\nconnection: close\r\nauthorization: Bearer ${client.key}\r\n`;
  const cases: [string, number, string][] = [
    [`GET /custom_video/fetch/%E0%A4%A HTTP/1.1\r\n${head}\r\n`, 400, "invalid_request"],
    [`GET /custom_video/fetch/${"a".repeat(2_000)} HTTP/1.1\r\n${head}\r\n`, 400, "invalid_request"],
    ["NONSENSE\r\n\r\n", 400, "invalid_request"],
    [`GET /health HTTP/1.1\r\n${head}x: ${"a".repeat(40_000)}\r\n\r\n`, 413, "too_large"],
    [`POST /musicA/fetch HTTP/1.1\r\n${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400, "invalid_request"],
    [
      `POST /musicA/fetch HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n`,
      400,
      "invalid_request",
    ],
  ];
  for (const [request, status, code] of cases) {
    const reply = await sendRaw(client.url, request);
    assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `), request.slice(0, 60));
    assert.match(reply, /\r\nx-request-id: [\w-]+\r\n/i);
    const { error } = JSON.parse(reply.slice(reply.indexOf("\r\n\r\n"))) as PlainError;
    assert.deepEqual([error.code, error.type], [code, "invalid_request_error"]);
  }
});

test("a message says what is wrong and what would be right", async () => {
  const cases: [string, object, RegExp][] = [
    [video, {}, /'prompt'.*required/],
    [video, { prompt: "x", duration: "x" }, /'duration'.*1 to 60/],
    [video, { prompt: "x", aspect_ratio: "wide" }, /'aspect_ratio'.*width:height/],
    ["/musicA/submit/music", {}, /gpt_description_prompt.*prompt.*continue_clip_id/],
    ["/musicA/fetch", {}, /'ids'.*required/],
    ["/musicB/submit/music", { gen_params: { prompt: "x", lyrics_type: "sung" } }, /generate, user or instrumental/],
    ["/musicB/submit/music", { gen_params: { prompt: "x", config: { mode: "x" } } }, /regular, continuation or precede/],
  ];
  for (const [path, body, says] of cases) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.equal(reply.status, 400);
    assert.match(reply.body.message, says);
    assert.equal(reply.body.error.message, reply.body.message);
  }
});

test("a provider that is switched off makes its models unavailable for now, and nothing is held", async () => {
  await gateway.admin("PATCH", "/admin/v1/providers/runway", { off: true });
  const { status, body, headers } = await client.post<EnvelopeError>(video, { prompt: "x" });
  assert.deepEqual([status, body.code], [503, "upstream_unavailable"]);
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await client.get<{ held_usd: number }>("/v1/balance")).body.held_usd, 0);
  await gateway.admin("PATCH", "/admin/v1/providers/runway", { off: false });
  assert.equal((await client.post(video, { prompt: "x" })).status, 200);
});

test("an error of our own upstream account is not shown, only that it is unavailable", async () => {
  const { id } = (await client.post<VideoTask>(video, { prompt: "[lab:refuse=auth]" })).body;
  const seen = await eventually(async () => {
    const { text } = await client.get(`/custom_video/fetch/${id}`);
    return lab.jobs().length >= 0 && text;
  });
  assert.doesNotMatch(seen, /lab-key|not valid|told to refuse|runway|127\.0\.0\.1/i);
  await client.post(`/v1/tasks/${id}/cancel`);
});

test("a page of a listed origin may read replies, others may not", async () => {
  const allowed = await client.get("/v1/models", { headers: { origin: "https://app.example" } });
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
  const other = await client.get("/v1/models", { headers: { origin: "https://evil.example" } });
  assert.equal(other.headers.get("access-control-allow-origin"), null);
  const preflight = await client.call("OPTIONS", video, undefined, {
    key: null,
    headers: { origin: "https://app.example", "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
  });
  assert.equal(preflight.status, 204);
});

test("while the service stops it says so, and what it accepted is done after the next start", async () => {
  const stopping = await startLabGateway();
  const { id } = (await stopping.client.post<VideoTask>(video, { prompt: "[lab:drip=40]" })).body;
  await eventually(() => stopping.lab.jobs().length === 1);
  const late = createClient(stopping.gateway.url, stopping.client.key);
  const closed = stopping.gateway.close();
  const { status, body, headers } = await late.post<EnvelopeError>(video, { prompt: "too late" });
  assert.deepEqual([status, body.code], [503, "unavailable"]);
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await late.get("/health")).status, 200);
  await closed;
  stopping.clock.advance(31_000);
  const next = await startGateway({
    yaml: describeConfiguration(stopping.lab, "lab-key"),
    dataDir: stopping.gateway.dataDir,
    clock: stopping.clock.now,
  });
  try {
    const customer = createClient(next.url, stopping.client.key);
    await eventually(async () => (await customer.get<VideoTask>(`/custom_video/fetch/${id}`)).body.status === "SUCCESS");
    assert.equal(stopping.lab.jobs().length, 1, "it was not sent twice");
  } finally {
    await next.end();
    await stopping.lab.close();
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
