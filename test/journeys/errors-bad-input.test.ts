import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { PlainError } from "../support/wire.ts";

const { client, gateway, end } = await startLabGateway();
after(end);

/** Every operation that takes a JSON body, a body that it would accept, and the fields with their types. */
const text = [1, true, ["x"], { x: 1 }];
const flag = ["yes", 1, [], {}];
const amount = ["1", true, [], {}];
const hooks = { notify_hook: text, notifyHook: text, callback_url: text, webhook_url: text };
type Target = { path: string; body: Record<string, unknown>; wrong: Record<string, unknown[]>; at?: string };
const targets: Target[] = [
  {
    path: "/custom_video/model/gen4.5",
    body: { prompt: "x" },
    wrong: { prompt: text, image: text, duration: [true, [], {}, "x", 1.5], aspect_ratio: text, ...hooks },
  },
  {
    path: "/musicA/submit/music",
    body: { prompt: "x" },
    wrong: {
      continue_at: amount,
      continue_clip_id: text,
      gpt_description_prompt: text,
      make_instrumental: flag,
      mv: text,
      prompt: text,
      tags: text,
      task_id: text,
      title: text,
      ...hooks,
    },
  },
  { path: "/musicA/submit/lyrics", body: { prompt: "x" }, wrong: { prompt: [...text, null], ...hooks } },
  { path: "/musicA/fetch", body: { ids: [] }, wrong: { ids: [1, "x", {}, null], action: [1, "x", []] } },
  {
    path: "/musicB/submit/music",
    body: { gen_params: { prompt: "x" } },
    at: "gen_params",
    wrong: {
      prompt: text,
      lyrics: text,
      lyrics_type: text,
      bypass_prompt_optimization: flag,
      seed: [...amount, 1.5],
      song_section_start: amount,
      prompt_strength: amount,
      clarity_strength: amount,
      lyrics_strength: amount,
      generation_quality: amount,
      model_type: text,
      config: ["x", 1, []],
    },
  },
  {
    path: "/v1/quote",
    body: { path: "/musicA/submit/lyrics", body: { prompt: "x" } },
    wrong: { path: [1, null, [], {}], body: [1, null, [], "x"] },
  },
  { path: "/v1/webhooks", body: { url: "https://example.org/" }, wrong: { url: [1, null, [], {}, "x"], events: [1, "x", ["x"], {}, []] } },
];

const json = { "content-type": "application/json" };
const refused = async (path: string, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
  client.call<PlainError>("POST", path, undefined, { raw, headers });

test("a field of a wrong type is refused with its name, whatever the operation", async () => {
  for (const { path, body, wrong, at } of targets) {
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const sent = at === undefined ? { ...body, [field]: value } : { ...body, [at]: { ...Object(body[at]), [field]: value } };
        const reply = await client.post<PlainError>(path, sent);
        const name = `${path} ${field} = ${JSON.stringify(value)} → ${reply.text}`;
        assert.deepEqual([reply.status, reply.body.error.code], [400, "invalid_request"], name);
        const param = at === undefined ? field : `${at}.${field}`;
        assert.ok(reply.body.error.param?.startsWith(param), name);
        assert.ok(reply.body.error.message.includes(field), name);
      }
    }
  }
});

test("a body that is missing, broken or no object is refused", async () => {
  for (const { path } of targets) {
    for (const raw of [
      "",
      " ",
      "{",
      "{'prompt': 'x'}",
      `{"prompt":"x"`,
      `{"prompt":"x"}}`,
      "undefined",
      "NaN",
      "\u0000",
      "null",
      "[]",
      `["x"]`,
      `"text"`,
      "12",
      "true",
    ]) {
      const reply = await refused(path, raw);
      assert.deepEqual([reply.status, reply.body.error.code], [400, "invalid_request"], `${path} ${raw} → ${reply.text}`);
    }
    const nothing = await client.call<PlainError>("POST", path);
    assert.deepEqual([nothing.status, nothing.body.error.code], [400, "invalid_request"], path);
    const invalid = await refused(path, new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    assert.ok(invalid.status === 400 || invalid.status === 200, `${path} → ${invalid.status}`);
  }
});

test("another content type is 415", async () => {
  for (const { path, body } of targets) {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded", "application/octet-stream", "nonsense"]) {
      const reply = await refused(path, JSON.stringify(body), { "content-type": type });
      assert.deepEqual([reply.status, reply.body.error.code], [415, "unsupported_media_type"], `${path} ${type} → ${reply.text}`);
    }
  }
  const charset = await refused("/musicA/fetch", `{"ids":[]}`, { "content-type": "Application/JSON; charset=UTF-8" });
  assert.equal(charset.status, 200);
});

test("a body that is too deep, poisoned or has NUL in it is refused", async () => {
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  for (const { path, body } of targets) {
    const spliced = (more: string) => JSON.stringify(body).replace(/^\{/, `{${more},`);
    const bodies = [
      spliced(`"x":${deep(40)}`),
      spliced(`"x":${deep(100_000)}`),
      spliced(`"x":${`{"a":`.repeat(50_000)}1${"}".repeat(50_000)}`),
      spliced(`"__proto__":{"admin":true}`),
      spliced(`"constructor":{"prototype":{"admin":true}}`),
      spliced(`"a":"b\\u0000c"`),
      spliced(`"a\\u0000":1`),
    ];
    for (const raw of bodies) {
      const reply = await refused(path, raw);
      assert.deepEqual([reply.status, reply.body.error.code], [400, "invalid_request"], `${path} ${raw.slice(0, 60)} → ${reply.text}`);
    }
    const shallow = await refused(path, spliced(`"x":${deep(30)}`));
    assert.equal(shallow.status, 200, shallow.text);
  }
  assert.equal(Reflect.get({}, "admin"), undefined);
});

test("names of fields may be anything, and the warning stays readable", async () => {
  const odd = { "\ud800": 1, ["x".repeat(100_000)]: 1, toString: 1, hasOwnProperty: 1, "": 1, "a/b~c": 1, ключ: 1, "\r\nx-evil: 1": 1 };
  const { status, headers } = await client.post("/musicA/submit/lyrics", { prompt: "x", ...odd });
  assert.equal(status, 200);
  const warning = headers.get("x-genway-warning") ?? "";
  assert.ok(warning.length < 4_000 && warning.includes("/toString") && warning.includes("a~1b~0c"), warning.slice(0, 500));
  assert.equal(headers.get("x-evil"), null);
});

test("any text may be said: emoji, right to left, combining, unpaired", async () => {
  for (const prompt of [
    "🦊👨‍👩‍👧‍👦🏳️‍🌈",
    "مرحبا שלום",
    "Z̸͎̈́a̵͜͝l̶̨̛g̵͇̈́o̷̧͝",
    "\ud83d",
    "\u202e\u2066x\u2069",
    "\ufeff x",
    "%s%n$(id)`id`'; drop table task; --",
    "<script>alert(1)</script>",
    "\t\n\r ",
  ]) {
    const reply = await client.post<PlainError>("/custom_video/model/gen4.5", { prompt: `${prompt}.`, duration: 2 });
    assert.equal(reply.status, 200, `${JSON.stringify(prompt)} → ${reply.text}`);
  }
});

test("bodies over the limit of their group are 413, with and without a length", async () => {
  const big = (bytes: number) => `{"prompt":"${"x".repeat(bytes)}"}`;
  const mebibyte = 1024 * 1024;
  const cases: [string, string][] = [
    ["/musicA/submit/music", big(2 * mebibyte)],
    ["/musicA/submit/lyrics", big(2 * mebibyte)],
    ["/musicA/fetch", big(2 * mebibyte)],
    ["/musicB/submit/music", big(2 * mebibyte)],
    ["/v1/webhooks", big(2 * mebibyte)],
    ["/custom_video/model/gen4.5", big(40 * mebibyte)],
  ];
  for (const [path, raw] of cases) {
    const reply = await refused(path, raw);
    assert.deepEqual([reply.status, reply.body.error.code], [413, "too_large"], path);
  }
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(256 * 1024).fill(0x20));
    },
  });
  const chunked = await fetch(`${client.url}/musicA/submit/music`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${client.key}` },
    body: stream,
    duplex: "half",
  });
  assert.equal(chunked.status, 413);
  const large = await client.post<PlainError>("/custom_video/model/gen4.5", {
    prompt: "x",
    image: `data:image/png;base64,${"A".repeat(29 * mebibyte)}`,
  });
  assert.deepEqual([large.status, large.body.error.code], [413, "too_large"], "a picture of more than 20 MiB");
});

test("names of models may be long and strange, but not without end, and not invisible", async () => {
  for (const model of ["%0a", "%01x", "x".repeat(201)]) {
    const { status, body } = await client.post<PlainError>(`/custom_video/model/${model}`, { prompt: "x" });
    assert.deepEqual([status, body.error.code, body.error.param], [400, "invalid_request", "model"], model);
  }
  const mv = await client.post<PlainError>("/musicA/submit/music", { prompt: "x", mv: "x".repeat(201) });
  assert.deepEqual([mv.status, mv.body.error.param], [400, "mv"]);
});

test("random nonsense never breaks anything", async () => {
  let state = 20_261_115;
  const random = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
  const atoms: unknown[] = [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    "",
    "x",
    "16:9",
    "file_x",
    "https://example.org/a",
    "data:,",
    [],
    {},
    "🦊",
    "\ud800",
    "a".repeat(3_000),
  ];
  const value = (depth: number): unknown => {
    const roll = random(10);
    if (depth < 4 && roll === 0) return Array.from({ length: random(4) }, () => value(depth + 1));
    if (depth < 4 && roll === 1)
      return Object.fromEntries(Array.from({ length: random(4) }, () => [String(atoms[random(atoms.length)]), value(depth + 1)]));
    return atoms[random(atoms.length)];
  };
  for (let round = 0; round < 300; round++) {
    const target = targets[random(targets.length)];
    assert.ok(target !== undefined);
    const { path, body, wrong, at } = target;
    const fields = Object.fromEntries(Object.keys(wrong).flatMap((name) => (random(3) === 0 ? [[name, value(0)]] : [])));
    const sent = at === undefined ? { ...body, ...fields } : { ...body, [at]: { ...Object(body[at]), ...fields } };
    const { status, text: said } = await client.post(path, sent);
    assert.ok(status < 500, `${path} ${JSON.stringify(sent)} → ${said}`);
  }
});

test("the service is as well as before, and nothing of it was logged as a bug", async () => {
  assert.equal((await client.get("/ready")).status, 200);
  assert.deepEqual(
    gateway.logged.filter((line) => line.includes("Something went wrong")),
    [],
  );
});

test("every reply of this journey keeps the contract", () => client.book.check());
