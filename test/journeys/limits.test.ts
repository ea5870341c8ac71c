import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { timeInTheMinute } from "../support/time-in-the-minute.ts";
import type { Client, Reply } from "../support/client.ts";
import type { PlainError } from "../support/wire.ts";

const { client, lab, gateway, key, end } = await startCallGateway();
after(end);

async function limitedTo(limits: object): Promise<Client> {
  await timeInTheMinute();
  return client.as(await key(limits));
}

function chat(of: Client, content = "hi", more: object = {}) {
  return of.post<PlainError & { usage?: { total_tokens: number } }>("/v1/chat/completions", {
    model: "lab-chat",
    messages: [{ role: "user", content }],
    max_tokens: 100,
    ...more,
  });
}

/** One request to each group; all of them count together. */
const groups: [string, string, object | undefined][] = [
  ["POST", "/v1/completions", { model: "lab-chat", prompt: "x" }],
  ["POST", "/v1/chat/completions", { model: "lab-chat", messages: [{ role: "user", content: "x" }] }],
  ["POST", "/v1/embeddings", { model: "lab-embed", input: "x" }],
  ["POST", "/v1/images/generations", { model: "lab-image", prompt: "x" }],
  ["POST", "/v1/messages", { model: "claude-lab", max_tokens: 5, messages: [{ role: "user", content: "x" }] }],
  ["POST", "/v1/moderations", { model: "lab-moderation", input: "x" }],
  ["POST", "/v1/rerank", { model: "lab-rerank", query: "x", documents: ["y"] }],
  ["POST", "/custom_video/model/gen4.5", { prompt: "x" }],
  ["POST", "/musicA/submit/music", { prompt: "x", mv: "chirp-v4" }],
  ["GET", "/v1/models", undefined],
  ["GET", "/v1/balance", undefined],
];

function told({ headers }: Reply<unknown>, what: "requests" | "tokens") {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}-${what}`));
  return { limit, remaining, reset };
}

test("requests of a minute are counted over all groups, and each reply tells what is left", async () => {
  const limited = await limitedTo({ requests_per_minute: groups.length });
  for (const [index, [method, path, body]] of groups.entries()) {
    const reply = await limited.call(method, path, body);
    assert.equal(reply.status, 200, `${path} ${reply.text}`);
    const { limit, remaining, reset } = told(reply, "requests");
    assert.deepEqual([limit, remaining], [String(groups.length), String(groups.length - 1 - index)], path);
    assert.match(reset ?? "", /^\d+(\.\d+)?s$/);
    assert.ok(Number.parseFloat(reset ?? "") <= 60);
  }
  const calls = lab.calls().length;
  for (const [method, path, body] of groups) {
    // This dialect has errors of its own shape, which the book does not know.
    if (path === "/v1/messages") continue;
    const reply = await limited.call<PlainError>(method, path, body);
    assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.type], [429, "rate_limited", "rate_limit_error"], path);
    const wait = Number(reply.headers.get("retry-after"));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `retry-after: ${wait}`);
    assert.deepEqual(told(reply, "requests").remaining, "0");
    assert.match(reply.body.error.message, new RegExp(`${groups.length} requests a minute`));
  }
  assert.equal(lab.calls().length, calls, "nothing reached an upstream");
  assert.equal((await client.get("/v1/balance")).status, 200, "another key of the account goes on");
});

test("a key without limits is told none", async () => {
  const reply = await chat(client);
  assert.deepEqual([told(reply, "requests").limit, told(reply, "tokens").limit], [null, null]);
});

test("a refused request counts as one", async () => {
  const limited = await limitedTo({ requests_per_minute: 2 });
  assert.equal((await limited.post("/v1/completions", {})).status, 400);
  assert.equal((await chat(limited)).status, 200);
  assert.equal((await chat(limited)).status, 429);
});

test("tokens of a minute are counted by what was used, over whole replies and streams", async () => {
  const limited = await limitedTo({ tokens_per_minute: 100 });
  assert.equal((await chat(limited)).status, 200);
  await chat(limited, "hi", { stream: true });
  const third = await chat(limited);
  assert.deepEqual([told(third, "tokens").limit, told(third, "tokens").remaining], ["100", "60"]);
  assert.match(told(third, "tokens").reset ?? "", /^\d+(\.\d+)?s$/);
  assert.equal((await chat(limited, "[lab:tokens=60]")).status, 200, "what has begun is not cut off");
  const refused = await chat(limited);
  assert.deepEqual([refused.status, refused.body.error.code], [429, "rate_limited"]);
  assert.match(refused.body.error.message, /100 tokens a minute/);
  assert.deepEqual(told(refused, "tokens").remaining, "0");
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  const embedding = await limited.post("/v1/embeddings", { model: "lab-embed", input: "x" });
  assert.equal(embedding.status, 429, "all text shares the minute");
  assert.equal((await limited.get("/v1/models")).status, 200, "what uses no tokens goes on");
});

test("the tokens of the minute are told from the first reply on", async () => {
  const { limit, remaining } = told(await chat(await limitedTo({ tokens_per_minute: 100 })), "tokens");
  assert.deepEqual([limit, remaining], ["100", "100"]);
});

test("only so many calls run at a time, and a place is free again when one ends or its client leaves", async () => {
  const limited = await limitedTo({ concurrent_calls: 2 });
  const prompt = "hold the place [lab:hold=1]";
  const leave = new AbortController();
  const held = [1, 2].map(() =>
    fetch(`${client.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${limited.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "lab-chat", stream: true, messages: [{ role: "user", content: prompt }] }),
      signal: leave.signal,
    }),
  );
  for (const reply of await Promise.all(held)) assert.equal(reply.status, 200);
  const refused = await chat(limited);
  assert.deepEqual([refused.status, refused.body.error.code, refused.headers.get("retry-after")], [429, "rate_limited", "1"]);
  assert.match(refused.body.error.message, /2 calls at a time/);
  const speech = await limited.post<PlainError>("/v1/audio/speech", { model: "lab-speech", input: "x", voice: "alloy" });
  assert.equal(speech.status, 429, "all groups share the places");
  assert.equal((await limited.get("/v1/balance")).status, 200);
  leave.abort();
  await eventually(async () => (await chat(limited)).status === 200, { everyMs: 20, what: "a free place" });
  await Promise.all([1, 2, 3, 4].map(() => chat(limited))).then((replies) => {
    const statuses = replies.map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 200).length >= 2, statuses.join());
  });
  for (const mark of ["[lab:refuse=invalid]", "[lab:refuse=invalid] again", "[lab:refuse=invalid] and again"]) await chat(limited, mark);
  assert.equal((await chat(limited)).status, 200, "a call that fails gives its place back");
});

test("a key spends no more than its cap, over calls and tasks", async () => {
  const limited = await limitedTo({ spend_cap_usd: 0.1 });
  const image = (n: number) => limited.post<PlainError>("/v1/images/generations", { model: "lab-image", prompt: "x", n });
  assert.equal((await image(2)).status, 200);
  const refused = await image(1);
  assert.deepEqual([refused.status, refused.body.error.code], [402, "insufficient_balance"]);
  assert.match(refused.body.error.message, /spend cap/);
  const video = await limited.post<PlainError>("/custom_video/model/gen4.5", { prompt: "x", duration: 5 });
  assert.deepEqual([video.status, video.body.error.code], [402, "insufficient_balance"], "a task would go beyond it as well");
  assert.equal((await chat(limited)).status, 200, "what fits under it goes on");
  const other = await limitedTo({ spend_cap_usd: 0.1 });
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => other.post("/v1/images/generations", { model: "lab-image", prompt: "x" })),
  );
  assert.deepEqual(
    replies.map(({ status }) => String(status)).toSorted(),
    ["200", "200", "402", "402", "402", "402"],
    "also when all come at once",
  );
});

test("an account spends no more than it has, also when all come at once", async () => {
  const { key: poor } = await gateway.customer(0.1);
  const of = client.as(poor);
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => of.post("/v1/images/generations", { model: "lab-image", prompt: "x" })),
  );
  assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ["200", "200", "402", "402", "402", "402"]);
  const { body } = await of.get<{ available_usd: number; held_usd: number }>("/v1/balance");
  assert.deepEqual([Math.round(body.available_usd * 1e9), body.held_usd], [20_000_000, 0]);
});

test("only so many tasks run at a time, over video and music", async () => {
  const limited = await limitedTo({ concurrent_tasks: 2 });
  const creates: [string, object][] = [
    ["/custom_video/model/gen4.5", { prompt: "[lab:seconds=600]" }],
    ["/musicA/submit/music", { prompt: "[lab:seconds=600]", mv: "chirp-v4" }],
  ];
  const ids: string[] = [];
  for (const [path, body] of creates) {
    const reply = await limited.post<{ id: string; task_id?: string }>(path, body);
    assert.equal(reply.status, 200, reply.text);
    ids.push(reply.body.task_id ?? reply.body.id);
  }
  for (const [path, body] of creates) {
    const reply = await limited.post<PlainError>(path, body);
    assert.deepEqual([reply.status, reply.body.error.code], [429, "too_many_tasks"], path);
    assert.ok(Number(reply.headers.get("retry-after")) >= 1);
  }
  assert.equal((await chat(limited)).status, 200, "calls are no tasks");
  const cancelled = await limited.post(`/v1/tasks/${ids[0]}/cancel`);
  assert.equal(cancelled.status, 200, cancelled.text);
  const next = await limited.post<PlainError & { id?: string }>("/custom_video/model/gen4.5", { prompt: "[lab:seconds=600]" });
  assert.equal(next.status, 200, next.text);
  for (const id of [ids[1], next.body.id]) await limited.post(`/v1/tasks/${id}/cancel`);
});

test("a change of a key's limits counts at once", async () => {
  await timeInTheMinute();
  const { body } = await gateway.admin("POST", "/admin/v1/keys", {
    account: (await gateway.customer(1)).account,
    name: "changing",
    requests_per_minute: 1,
  });
  const changing = client.as(String(body["key"]));
  assert.deepEqual([(await chat(changing)).status, (await chat(changing)).status], [200, 429]);
  await gateway.admin("PATCH", `/admin/v1/keys/${String(body["id"])}`, { requests_per_minute: 100 });
  assert.equal((await chat(changing)).status, 200);
  await gateway.admin("PATCH", `/admin/v1/keys/${String(body["id"])}`, { requests_per_minute: null });
  assert.deepEqual(told(await chat(changing), "requests").limit, null);
});

test("keys without limits of their own have those of the configuration, others keep theirs", async () => {
  const yaml = "limits: { requests_per_minute: 8, tokens_per_minute: 50, concurrent_calls: 1, concurrent_tasks: 1 }\n";
  const { client: usual, lab: upstreams, key: keyOf, end: endAll } = await startCallGateway({ yaml });
  try {
    await timeInTheMinute();
    const first = await chat(usual);
    assert.deepEqual([first.status, told(first, "requests").limit, told(first, "requests").remaining], [200, "8", "7"]);
    const wide = usual.as(await keyOf({ requests_per_minute: 50, tokens_per_minute: 5_000, concurrent_calls: 9, concurrent_tasks: 9 }));
    assert.equal(told(await chat(wide), "requests").limit, "50");
    const slow = chat(usual, "[lab:delay=300]");
    await eventually(() => upstreams.calls().some(({ prompt }) => prompt === "[lab:delay=300]"), { everyMs: 5 });
    assert.match((await chat(usual)).body.error.message, /1 calls? at a time/);
    assert.equal((await chat(wide)).status, 200);
    assert.equal((await slow).status, 200);
    const video = ["/custom_video/model/gen4.5", { prompt: "[lab:seconds=600]" }] as const;
    assert.equal((await usual.post(...video)).status, 200);
    assert.equal((await usual.post<PlainError>(...video)).body.error.code, "too_many_tasks");
    for (let count = 0; count < 2; count++) assert.equal((await wide.post(...video)).status, 200);
    assert.equal((await chat(usual, "[lab:tokens=60]")).status, 200);
    assert.match((await chat(usual)).body.error.message, /50 tokens a minute/);
    assert.equal((await usual.get("/v1/models")).status, 200);
    assert.match((await chat(usual)).body.error.message, /8 requests a minute/);
  } finally {
    await endAll();
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
