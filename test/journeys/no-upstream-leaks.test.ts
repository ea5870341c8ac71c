import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { dialects } from "../../lab/dialects/index.ts";
import type { Dialect } from "../../lab/dialect.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { startReceiver } from "../support/receiver.ts";
import { png } from "../support/samples.ts";

const receiver = await startReceiver();
const { lab, gateway, client, clock, end } = await startLabGateway({
  credit: 10_000,
  env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.1/32" },
});
after(async () => {
  await end();
  await receiver.close();
});

const picture = `data:image/png;base64,${png(512, 512).toString("base64")}`;
type Door = {
  path: string;
  body: (model: string, prompt: string) => Record<string, unknown>;
  id: (reply: Record<string, unknown>) => unknown;
};
const first = (reply: Record<string, unknown>) => reply["task_id"] ?? reply["id"] ?? reply["result"] ?? reply["data"];

/** Every way in, by kind. */
const doors: Record<string, Door[]> = {
  video: [
    { path: "/custom_video/model/", body: (_model, prompt) => ({ prompt }), id: first },
    {
      path: "/v1/videos",
      body: (model, prompt) => ({ model, prompt, ...(model.startsWith("MiniMax") ? {} : { size: "1280x720" }) }),
      id: first,
    },
    { path: "/v1/video/generations", body: (model, prompt) => ({ model, prompt }), id: first },
    { path: "/videoB/generations", body: (model, prompt) => ({ model_name: model, user_prompt: prompt }), id: first },
  ],
  music: [
    { path: "/musicA/submit/music", body: (mv, gpt_description_prompt) => ({ mv, gpt_description_prompt }), id: first },
    { path: "/musicB/submit/music", body: (model_type, prompt) => ({ gen_params: { model_type, prompt } }), id: first },
  ],
  image: [
    { path: "/v1/images/generations", body: (model, prompt) => ({ model, prompt, async: true }), id: first },
    {
      path: "/imageA/submit/imagine",
      body: (model, prompt) => ({ prompt, botType: model === "niji" ? "NIJI_JOURNEY" : "MID_JOURNEY" }),
      id: first,
    },
  ],
  lyrics: [{ path: "/musicA/submit/lyrics", body: (_model, prompt) => ({ prompt }), id: first }],
};

/** Where a task may be looked at; those of other groups say that there is none. */
const views = (id: string) => [
  `/v1/tasks/${id}`,
  `/custom_video/fetch/${id}`,
  `/v1/videos/${id}`,
  `/v1/video/generations/${id}`,
  `/videoB/generations/${id}`,
  `/videoB/generations/${id}/download_video_url`,
  `/musicA/fetch/${id}`,
  `/musicB/fetch/${id}`,
  `/imageA/task/${id}/fetch`,
  `/imageA/task/${id}/image-seed`,
];

const said: string[] = [];
const ids: string[] = [];
let took = 0;

/** What a client could read of a reply. */
function keep(where: string, text: string, headers: Headers): void {
  const shown = [...headers].filter(([name]) => name !== "x-genway-provider");
  said.push(`${where} ${JSON.stringify(shown)} ${text}`);
}

/** A name that a client may send for the model of a dialect. */
function nameOf({ samples }: Dialect, name: string): string {
  if (!name.includes("*")) return name;
  const [start = "", rest = ""] = name.split("*");
  return samples.find(({ model }) => model.startsWith(start) && model.endsWith(rest))?.model ?? name.replace("*", "1");
}

async function submit(door: Door, model: string, prompt: string): Promise<void> {
  const path = door.path.endsWith("/") ? door.path + encodeURIComponent(model) : door.path;
  const hooked = { ...door.body(model, prompt), notifyHook: `${receiver.url}/hook` };
  const tries = [hooked, { ...hooked, image: picture, image_url: picture, images: [picture], input_reference: picture }];
  for (const body of tries) {
    const reply = await client.post(path, body);
    keep(path, reply.text, reply.headers);
    if (reply.status !== 200) continue;
    ids.push(String(door.id(reply.body)));
    took++;
    return;
  }
}

/** Lets time pass until every task has ended; what is refused for the moment is tried again several times. */
async function allEnded(): Promise<void> {
  let going = ids;
  for (let leaps = 0; leaps < 150 && going.length > 0; leaps++) {
    await setTimeout(100);
    // Shorter than the lease of a worker.
    clock.advance(20_000);
    const looks = await Promise.all(going.map((id) => client.get<{ status: string }>(`/v1/tasks/${id}`)));
    going = going.filter((_, at) => !["SUCCESS", "FAILURE"].includes(looks[at]?.body.status ?? ""));
  }
  assert.deepEqual(going, []);
}

test("every upstream is asked, through every door, for what succeeds and for what fails", async () => {
  const marks = ["", "[lab:refuse=auth]", "[lab:refuse=invalid]", "[lab:fail=policy]"];
  let turn = 0;
  for (const dialect of dialects) {
    for (const { name, kind } of dialect.models) {
      const before = took;
      const ways = doors[kind] ?? [];
      const own = name === "midjourney" || name === "niji" ? ways : ways.filter(({ path }) => !path.startsWith("/imageA"));
      for (const mark of marks) {
        const door = own[turn++ % own.length];
        if (door) await submit(door, nameOf(dialect, name), `a boat ${mark}`);
      }
      const enlarging = ["upscale", "describe"].find((act) => name === act);
      if (enlarging !== undefined) {
        const reply = await client.post(`/imageB/${enlarging}`, { image_file: picture, model: name }, { headers: { prefer: "wait=0" } });
        keep(enlarging, reply.text, reply.headers);
      } else assert.ok(took > before, `${name} of ${dialect.type} was asked for nothing: ${said.at(-1)}`);
    }
  }
  await allEnded();
  assert.ok(ids.length > 120 && new Set(ids).size === ids.length, `${ids.length}`);
});

test("all there is to see of the tasks is looked at", async () => {
  for (const id of ids) {
    for (const path of views(id)) {
      const { text, headers } = await client.get(path);
      keep(path, text, headers);
    }
    const events = await fetch(`${client.url}/v1/tasks/${id}/events`, {
      headers: { authorization: `Bearer ${client.key}` },
      signal: AbortSignal.timeout(5_000),
    });
    keep("events", await events.text(), events.headers);
  }
  for (const path of ["/v1/tasks?limit=100", "/v1/videos?limit=100", "/v1/models", "/v1/billing/usage", "/v1/files", "/v1/webhooks"]) {
    const { text, headers } = await client.get(path);
    keep(path, text, headers);
  }
  for (let at = 0; at < ids.length; at += 100) {
    for (const path of ["/musicA/fetch", "/videoB/tasks", "/imageA/task/list-by-ids"]) {
      const { text, headers } = await client.post(path, { ids: ids.slice(at, at + 100) });
      keep(path, text, headers);
    }
  }
  for (const { headers, text } of receiver.received) said.push(`hook ${JSON.stringify(headers)} ${text}`);
  assert.ok(receiver.received.length > ids.length);
});

/** How upstreams know the jobs of our tasks, and which of them gave a result. */
async function asUpstreamsKnow(): Promise<{ names: string[]; gave: Set<string> }> {
  const names: string[] = [];
  const gave = new Set<string>();
  for (const id of ids) {
    const { body } = await gateway.admin("GET", `/admin/v1/tasks/${id}`);
    const attempts = body["attempts"] as { provider: string; upstream_id: string | null }[];
    // Some let us name the job, by the id that clients know.
    names.push(...attempts.flatMap(({ upstream_id: name }) => (name === null || ids.includes(name) ? [] : [name])));
    if (body["status"] === "SUCCESS") gave.add(attempts.at(-1)?.provider ?? "");
  }
  return { names, gave };
}

test("nothing of an upstream shows: no host, no key, no word of its own, no id of a job", async () => {
  const all = said.join("\n");
  const { host } = new URL(lab.url);
  const { names, gave } = await asUpstreamsKnow();
  assert.deepEqual(
    dialects.flatMap(({ type, models }) => (gave.has(type) || models.length === 0 ? [] : [type])),
    [],
    "every upstream gave something",
  );
  const secrets = dialects.flatMap(({ credential, webhookSecret }) => [credential?.("lab-key") ?? "lab-key", webhookSecret ?? "lab-key"]);
  const jobs = lab.jobs().flatMap(({ id }) => (ids.includes(id) ? [] : [id]));
  assert.ok(jobs.length > 50 && all.length > 1_000_000);
  for (const needle of new Set([host, ...secrets, ...jobs, ...names, "told to refuse", "told to fail", "secret-of-"])) {
    const at = all.indexOf(needle);
    assert.equal(at, -1, `${needle} in …${all.slice(Math.max(0, all.lastIndexOf("\n", at)), at + 200).slice(0, 1_500)}`);
  }
});

test("no key is in the log", () => {
  assert.deepEqual(
    gateway.logged.filter((line) => line.includes("lab-key") || line.includes("Something went wrong")),
    [],
  );
});

test("every reply of this journey keeps the contract", () => client.book.check());
