import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { createLab, type Lab } from "../../lab/lab.ts";
import { readTables } from "../crash/tables.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startMidjourneyUpstream, type MidjourneyUpstream } from "../support/midjourney-upstream.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { png } from "../support/samples.ts";
import { createTestClock, type TestClock } from "../support/test-clock.ts";
import type { ImageTask, Submitted } from "../support/wire.ts";

/** A SQLite installation that clients have used for a while, stopped, and what surrounds it. */
export type Installation = {
  dataDir: string;
  clock: TestClock;
  lab: Lab;
  receiver: Receiver;
  key: string;
  /** Tasks by what became of them so far; `waiting` are at the upstream, `queued` wait for a slot there. */
  tasks: { ended: string[]; waiting: string[]; queued: string[]; unknown: string[] };
  /** A press of a button that waits for its client to say more. */
  modal: string;
  /** What the client saw last of each task. */
  seen: Map<string, Record<string, unknown>>;
  balance: Record<string, unknown>;
  /** Starts the service on the folder; with an address, on that PostgreSQL. */
  start(storeUrl: string | null): Promise<TestGateway>;
  end(): Promise<void>;
};

export const slowSeconds = 7_200;
const slots = 12;

export async function useInstallation(): Promise<Installation> {
  const clock = createTestClock();
  const lab = await createLab({ now: clock.now, script: { minSeconds: 1, maxSeconds: 1, queueSeconds: 0 } });
  const painter = await startMidjourneyUpstream();
  const receiver = await startReceiver();
  const yaml = configuration(lab, painter);
  const env = { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" };
  const gateway = await startGateway({ yaml, env, clock: clock.now, store: "sqlite" });
  const { dataDir } = gateway;
  const { key } = await gateway.customer(1_000);
  const client = createClient(gateway.url, key);
  const used = await use(client, receiver, clock, dataDir);
  const seen = new Map<string, Record<string, unknown>>();
  for (const id of Object.values(used.tasks).flat()) seen.set(id, (await client.get(`/v1/tasks/${id}`)).body);
  const balance = (await client.get("/v1/balance")).body;
  await gateway.close();
  return {
    ...used,
    dataDir,
    clock,
    lab,
    receiver,
    key,
    seen,
    balance,
    start: (storeUrl) =>
      startGateway({
        yaml: yaml + (storeUrl === null ? "" : `store: { url: "${storeUrl}" }\n`),
        env,
        dataDir,
        clock: clock.now,
        store: "sqlite",
      }),
    async end() {
      await lab.close();
      await painter.close();
      await receiver.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function configuration(lab: Lab, painter: MidjourneyUpstream): string {
  const at = (url: string) => `base_url: "${url}", keys: [lab-key], allow_private_network: true`;
  return `
providers:
  films: { type: runway, ${at(lab.baseUrl("runway"))}, limits: { concurrent: ${slots} } }
  songs: { type: suno-relay, ${at(lab.baseUrl("suno-relay"))} }
  pictures: { type: midjourney-proxy, ${at(painter.url)} }
  words: { type: openai-compatible, ${at(lab.baseUrl("openai/v1"))} }
models:
  gen4.5: { kinds: [video], routes: [{ provider: films }], price: { per_second: 0.12 } }
  "chirp-*": { kinds: [music], routes: [{ provider: songs }], price: { per_call: 0.10 } }
  lyrics: { kinds: [lyrics], routes: [{ provider: songs }], price: { per_call: 0.01 } }
  midjourney: { kinds: [image], routes: [{ provider: pictures }], price: { per_call: 0.10 } }
  lab-chat: { kinds: [chat], routes: [{ provider: words }], price: { input_per_million: 0.15, output_per_million: 0.60 } }
  lab-speech: { kinds: [speech], routes: [{ provider: words }], price: { per_thousand_characters: 0.015 } }
tasks: { deadline: { video: 5d, music: 5d, lyrics: 5d, image: 5d, chat: 5d, speech: 5d } }
`;
}

type Order = { path: string; body: object; headers?: Record<string, string> };

async function use(client: Client, receiver: Receiver, clock: TestClock, dataDir: string): Promise<Pick<Installation, "tasks" | "modal">> {
  const unknown = await place(client, [lyrics("[lab:reset] lost"), lyrics("[lab:html] lost too")]);
  const made = await client.post("/v1/webhooks", { url: `${receiver.url}/account`, events: ["task.succeeded", "task.failed"] });
  assert.ok(made.status < 300, made.text);
  const raw = new FormData();
  raw.append("purpose", "input");
  raw.append("file", new Blob([png(64, 64)], { type: "image/png" }), "photo.png");
  const file = await client.post<{ id: string }>("/v1/files", undefined, { raw });
  assert.ok(file.status < 300, file.text);
  receiver.answer("/broken", ...Array.from({ length: 1_000 }, () => 500));

  const modal = await openModal(client, clock);
  const ended = [...unknown, ...(await place(client, manyOrders(receiver.url)))];
  for (let n = 0; n < 40; n++) {
    const { status, text } = await client.post("/v1/chat/completions", {
      model: "lab-chat",
      messages: [{ role: "user", content: `call ${n}` }],
    });
    assert.equal(status, 200, text);
  }
  await settle(dataDir, ended, clock);
  const waiting = await place(client, [
    ...Array.from({ length: slots }, (_, n) => video(`[lab:seconds=${slowSeconds}] slow ${n}`, { "idempotency-key": `slow ${n}` })),
    ...Array.from({ length: 20 }, (_, n) => song(`[lab:seconds=${slowSeconds}] slow ${n}`)),
  ]);
  await eventually(async () => (await statuses(dataDir, waiting)).every((status) => status !== "SUBMITTED"), { withinMs: 20_000 });
  const queued = await place(
    client,
    Array.from({ length: 30 }, (_, n) => video(`in the queue ${n}`)),
  );
  const cancelled = await place(client, [song(`[lab:seconds=${slowSeconds}] not wanted`)]);
  for (const id of cancelled) await client.post(`/v1/tasks/${id}/cancel`);
  return { modal, tasks: { ended: ended.filter((id) => !unknown.includes(id)), waiting, queued, unknown } };
}

function manyOrders(hook: string): Order[] {
  return [
    ...Array.from({ length: 60 }, (_, n) => video(`a film ${n} ☃${n % 10 === 0 ? " [lab:fail=policy]" : ""}`)),
    ...Array.from({ length: 80 }, (_, n) => song(`a song ${n}`, { notify_hook: `${hook}/${n % 8 === 0 ? "broken" : "songs"}` })),
    ...Array.from({ length: 160 }, (_, n) => lyrics(`words ${n}`, { "idempotency-key": `words ${n}` })),
    ...Array.from({ length: 10 }, (_, n) => ({ path: "/mj/submit/imagine", body: { prompt: `a picture ${n}` } })),
    ...Array.from({ length: 20 }, (_, n) =>
      deferred("/v1/chat/completions", { model: "lab-chat", messages: [{ role: "user", content: `${n}` }] }),
    ),
    ...Array.from({ length: 10 }, (_, n) => deferred("/v1/audio/speech", { model: "lab-speech", input: `said ${n}`, voice: "alloy" })),
  ];
}

const video = (prompt: string, headers = {}): Order => ({ path: "/custom_video/model/gen4.5", body: { prompt, duration: 2 }, headers });
const song = (prompt: string, more = {}): Order => ({
  path: "/musicA/submit/music",
  body: { gpt_description_prompt: prompt, mv: "chirp-v4", ...more },
});
const lyrics = (prompt: string, headers = {}): Order => ({ path: "/musicA/submit/lyrics", body: { prompt }, headers });
const deferred = (path: string, body: object): Order => ({ path, body: { ...body, async: true } });

/** Places orders, ten at a time, and answers their ids, whatever each dialect calls them. */
async function place(client: Client, orders: readonly Order[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < orders.length; at += 10) {
    const replies = orders.slice(at, at + 10).map(async ({ path, body, headers = {} }) => {
      const reply = await client.post<{ id?: string; task_id?: string; result?: string; data?: string }>(path, body, { headers });
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      return String(reply.body.task_id ?? reply.body.id ?? reply.body.result ?? reply.body.data);
    });
    ids.push(...(await Promise.all(replies)));
  }
  return ids;
}

async function statuses(dataDir: string, ids: readonly string[]): Promise<string[]> {
  const { tasks } = await readTables({ folder: dataDir });
  const byId = new Map(tasks.map(({ id, status }) => [id, status]));
  return ids.map((id) => byId.get(id) ?? "none");
}

/** Lets time pass, less at once than a lease lasts, until all have ended. */
async function settle(dataDir: string, ids: readonly string[], clock: TestClock): Promise<void> {
  await eventually(
    async () => {
      if ((await statuses(dataDir, ids)).every((status) => ["SUCCESS", "FAILURE"].includes(status))) return true;
      clock.advance(2_000);
      return false;
    },
    { withinMs: 90_000, everyMs: 200, what: "the end of all tasks" },
  );
}

async function openModal(client: Client, clock: TestClock): Promise<string> {
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await client.get<ImageTask>(`/mj/task/${id}/fetch`);
      if (body.status === "SUCCESS") return body;
      clock.advance(2_000);
      return null;
    });
  const grid = await client.post<Submitted>("/mj/submit/imagine", { prompt: "a cat" });
  const made = await ended(grid.body.result);
  const single = await client.post<Submitted>("/mj/submit/change", { taskId: made.id, action: "UPSCALE", index: 2 });
  const picture = await ended(single.body.result);
  const customId = picture.buttons.find(({ customId: name }) => name.includes("CustomZoom"))?.customId;
  const opened = await client.post<Submitted>("/mj/submit/action", { taskId: picture.id, customId });
  assert.equal(opened.body.code, 21, opened.text);
  return opened.body.result;
}
