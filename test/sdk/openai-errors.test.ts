import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, test } from "node:test";
import OpenAI from "openai";
import { startCallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { openaiFor } from "./target.ts";

const { lab, gateway, client: plain, key, end } = await startCallGateway();
after(end);
const { url } = gateway;
const client = openaiFor({ url, key: plain.key ?? "" });

function ask(of: OpenAI, content: string, model = "lab-chat") {
  return of.chat.completions.create({ model, messages: [{ role: "user", content }], max_tokens: 16 });
}

function callsOf(prompt: string) {
  return lab.calls().filter((call) => call.prompt === prompt);
}

test("a wrong key is an AuthenticationError", async () => {
  await assert.rejects(ask(openaiFor({ url, key: "gw_wrong" }), "x"), (error) => {
    assert.ok(error instanceof OpenAI.AuthenticationError);
    assert.deepEqual([error.status, error.code, error.type, error.param], [401, "invalid_key", "authentication_error", null]);
    assert.match(error.requestID ?? "", /^[\w-]{8,}$/);
    return true;
  });
});

test("an unknown model is a NotFoundError that names the field and what there is", async () => {
  await assert.rejects(ask(client, "x", "nonsense"), (error) => {
    assert.ok(error instanceof OpenAI.NotFoundError);
    assert.deepEqual([error.code, error.param], ["model_not_found", "model"]);
    assert.match(error.message, /lab-chat/);
    return true;
  });
  await assert.rejects(client.models.retrieve("nonsense"), OpenAI.NotFoundError);
});

test("a wrong request is a BadRequestError that names the field", async () => {
  await assert.rejects(client.chat.completions.create({ model: "lab-chat", messages: [], n: 1 }), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.deepEqual([error.code, error.param, error.type], ["invalid_request", "messages", "invalid_request_error"]);
    return true;
  });
  await assert.rejects(ask(client, "[lab:refuse=context]"), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.param, "messages", "what the upstream says about the request is passed on");
    assert.doesNotMatch(error.message, /lab-key/);
    return true;
  });
  await assert.rejects(ask(client, "[lab:refuse=content_policy]"), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.code, "content_policy");
    return true;
  });
});

test("a key without the scope is a PermissionDeniedError", async () => {
  const limited = openaiFor({ url, key: await key({ scopes: ["embeddings"] }) });
  await assert.rejects(ask(limited, "x"), (error) => {
    assert.ok(error instanceof OpenAI.PermissionDeniedError);
    assert.equal(error.code, "not_allowed");
    return true;
  });
  assert.equal((await limited.embeddings.create({ model: "lab-embed", input: "x" })).data.length, 1);
  const other = openaiFor({ url, key: await key({ models: ["claude-lab"] }) });
  await assert.rejects(ask(other, "x"), OpenAI.PermissionDeniedError);
});

test("an empty account is an APIError of status 402, and nothing was sent", async () => {
  const poor = await gateway.customer(0);
  const prompt = "I have no money";
  await assert.rejects(ask(openaiFor({ url, key: poor.key }, 2), prompt), (error) => {
    assert.ok(error instanceof OpenAI.APIError);
    assert.deepEqual([error.status, error.code, error.type], [402, "insufficient_balance", "insufficient_quota"]);
    return true;
  });
  assert.deepEqual(callsOf(prompt), []);
});

test("too many requests are a RateLimitError that says when to come back", async () => {
  const limited = openaiFor({ url, key: await key({ requests_per_minute: 1 }) });
  await ask(limited, "x");
  await assert.rejects(ask(limited, "x"), (error) => {
    assert.ok(error instanceof OpenAI.RateLimitError);
    assert.deepEqual([error.code, error.type], ["rate_limited", "rate_limit_error"]);
    assert.match(error.headers.get("retry-after") ?? "", /^\d+$/);
    return true;
  });
});

test("an upstream that stays broken is an InternalServerError without its words", async () => {
  await assert.rejects(ask(client, "[lab:500]", "azure-lab"), (error) => {
    assert.ok(error instanceof OpenAI.InternalServerError);
    assert.deepEqual([error.status, error.code], [502, "upstream_error"]);
    assert.doesNotMatch(error.message, /lab|azure|told to refuse/);
    return true;
  });
});

test("a stream that breaks off is an APIError after what came", async () => {
  for (const mark of ["[lab:cut=4]", "[lab:rst=4]", "[lab:error=4]"]) {
    let text = "";
    await assert.rejects(
      async () => {
        const stream = await client.chat.completions.create({
          model: "lab-chat",
          messages: [{ role: "user", content: mark }],
          stream: true,
        });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      },
      (error) => {
        assert.ok(error instanceof OpenAI.APIError, `${mark}: ${String(error)}`);
        assert.doesNotMatch(error.message, /told to|lab-key/);
        return true;
      },
    );
    assert.equal(text, " river stone light morning", mark);
  }
});

test("a client that leaves a stream stops the upstream", async () => {
  const prompt = "leave me [lab:tokens=5000][lab:pace=5]";
  const stream = await client.chat.completions.create({
    model: "lab-chat",
    messages: [{ role: "user", content: prompt }],
    max_tokens: 5_000,
    stream: true,
  });
  let seen = 0;
  for await (const _ of stream) if (++seen === 10) stream.controller.abort();
  const left = await eventually(() => callsOf(prompt).find(({ ended }) => ended !== "open"), { everyMs: 10 });
  assert.equal(left.ended, "left");
  assert.ok(left.completionTokens < 500, `${left.completionTokens} words were made for nobody`);
});

test("a request that is aborted before its answer stops the upstream too", async () => {
  const prompt = "too slow [lab:delay=20000]";
  const controller = new AbortController();
  const asked = client.chat.completions.create(
    { model: "lab-chat", messages: [{ role: "user", content: prompt }] },
    { signal: controller.signal },
  );
  await Promise.all([
    assert.rejects(asked, OpenAI.APIUserAbortError),
    eventually(() => callsOf(prompt).length === 1, { everyMs: 10 }).then(() => controller.abort()),
  ]);
  await eventually(() => callsOf(prompt)[0]?.ended === "left", { everyMs: 10 });
});

test("the client waits as long as it is told and tries again", async () => {
  // The service itself tries a second time, so that the third is the client's.
  const prompt = "try again [lab:503=1 x2]";
  const { data, response } = await openaiFor({ url, key: plain.key ?? "" }, 1)
    .chat.completions.create({ model: "lab-chat", messages: [{ role: "user", content: prompt }] })
    .withResponse();
  assert.equal(data.choices[0]?.finish_reason, "stop");
  assert.equal(response.headers.get("x-genway-attempts"), "1");
  assert.deepEqual(
    callsOf(prompt).map(({ status }) => status),
    [503, 503, 200],
  );
  const times = callsOf(prompt).map(({ at }) => at);
  assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 950, `the client waited ${(times[2] ?? 0) - (times[1] ?? 0)} ms`);
});

test("a connection that a client keeps open does not keep the service from closing", async () => {
  const other = await startCallGateway();
  const socket = connect(Number(new URL(other.gateway.url).port), "127.0.0.1");
  await once(socket, "connect");
  const closed = other.end();
  try {
    const late = AbortSignal.timeout(5_000);
    await Promise.race([closed, once(late, "abort").then(() => assert.fail("it still waits after five seconds"))]);
  } finally {
    socket.destroy();
    await closed;
  }
});
