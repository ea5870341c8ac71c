import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient, type Client } from "../support/client.ts";
import { readEvents } from "../support/event-stream.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { Balance, CreatedClip, TaskRecord, VideoRecord, VideoTask } from "../support/wire.ts";

const { client, gateway, lab, clock, sent, reach, end } = await startLabGateway();
const local = await startGateway();
after(async () => {
  await end();
  await local.end();
});
const order = ["SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"];

/** Throws when a state comes before one that was seen earlier, or anything comes after an end. */
function checkForward(statuses: readonly string[]): void {
  const ranks = statuses.map((status) => order.indexOf(status));
  assert.ok(!ranks.includes(-1), `unknown state in ${statuses.join(", ")}`);
  for (const [index, rank] of ranks.entries()) assert.ok(index === 0 || rank >= (ranks[index - 1] ?? 0), statuses.join(" → "));
  const last = statuses.findIndex((status) => ["SUCCESS", "FAILURE"].includes(status));
  assert.ok(last === -1 || statuses.slice(last).every((status) => status === statuses[last]), statuses.join(" → "));
}

async function create(prompt: string, asking = client): Promise<string> {
  const { status, body, text } = await asking.post<VideoTask>("/custom_video/model/gen4.5", { prompt, duration: 2 });
  assert.equal(status, 200, text);
  assert.equal(body.status, "SUBMITTED");
  return body.id;
}

type Outcome = { task: TaskRecord; balance: Balance; jobs: number };

/** Tasks with these prompts, each of a customer of its own, brought to their ends. */
async function outcomes(...prompts: string[]): Promise<Outcome[]> {
  const begun: { prompt: string; customer: Client; id: string }[] = [];
  for (const prompt of prompts) {
    const customer = client.as((await gateway.customer(1)).key);
    begun.push({ prompt, customer, id: await create(prompt, customer) });
  }
  for (const { id } of begun) await sent(id);
  const ends: Outcome[] = [];
  for (const { prompt, customer, id } of begun) {
    await reach(id, "SUCCESS", "FAILURE");
    const task = (await customer.get<TaskRecord>(`/v1/tasks/${id}`)).body;
    const balance = (await customer.get<Balance>("/v1/balance")).body;
    ends.push({ task, balance, jobs: lab.jobs().filter((job) => job.prompt === prompt).length });
  }
  return ends;
}

test("a video made here only moves forward, as seen by polling and by the stream alike", async () => {
  const customer = createClient(local.url, local.firstKey);
  const { id } = (await customer.post<VideoTask>("/custom_video/model/x", { prompt: "a boat", duration: 2 })).body;
  const stream = readEvents(`${local.url}/v1/tasks/${id}/events`);
  const polled: string[] = [];
  await eventually(async () => {
    const { status } = (await customer.get<VideoRecord>(`/custom_video/fetch/${id}`)).body;
    polled.push(status);
    return status === "SUCCESS";
  });
  const { events, ended } = await stream;
  checkForward(polled);
  checkForward(events.map(({ data }) => String(data["status"])));
  const percents = events.map(({ data }) => Number(data["progress"]));
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.ok(ended && events.at(-1)?.data["status"] === "SUCCESS");
  assert.equal((await customer.get<VideoRecord>(`/custom_video/fetch/${id}`)).body.status, "SUCCESS");
});

test("a job of an upstream is shown queued, running, done", async () => {
  const id = await create("[lab:queue=40] [lab:seconds=60]");
  const stream = readEvents(`${gateway.url}/v1/tasks/${id}/events`, { headers: { authorization: `Bearer ${client.key}` } });
  assert.equal((await sent(id)).status, "QUEUED");
  clock.advance(31_000);
  assert.equal((await reach(id, "IN_PROGRESS")).status, "IN_PROGRESS");
  await reach(id, "SUCCESS");
  const statuses = (await stream).events.map(({ data }) => String(data["status"]));
  checkForward(statuses);
  assert.deepEqual([...new Set(statuses)].slice(-3), ["QUEUED", "IN_PROGRESS", "SUCCESS"]);
});

test("words of an upstream that nobody knows keep a task running", async () => {
  const id = await create("[lab:status=SIMMERING]");
  await sent(id);
  const polls = () => lab.jobs().find(({ prompt }) => prompt.includes("SIMMERING"))?.polls ?? 0;
  for (let round = 1; round <= 3; round++) {
    const before = polls();
    clock.advance(31_000);
    await eventually(() => polls() > before, { what: "another poll" });
  }
  const task = await eventually(async () => {
    const { body } = await client.get<TaskRecord>(`/v1/tasks/${id}`);
    return body.status === "IN_PROGRESS" && body;
  });
  assert.equal(task.error, null);
  await client.post(`/v1/tasks/${id}/cancel`);
});

test("an upstream that says done before its result is there is asked again", async () => {
  const [early] = await outcomes("[lab:empty=1]");
  assert.equal(early?.task.status, "SUCCESS");
});

test("polls that fail change nothing: the job goes on", async () => {
  const faults = ["500", "html", "reset", "truncated", "types"];
  const ends = await outcomes(...faults.map((fault) => `[lab:poll=${fault} x2]`));
  for (const { task, jobs } of ends) assert.deepEqual([task.status, jobs], ["SUCCESS", 1]);
});

test("a failure about the content says content_policy and costs nothing, whether it comes at once or later", async () => {
  for (const { task, balance } of await outcomes("[lab:fail=policy]", "[lab:refuse=content_policy]")) {
    assert.deepEqual([task.status, task.error?.code, task.cost_usd], ["FAILURE", "content_policy", 0]);
    assert.deepEqual([balance.available_usd, balance.held_usd], [1, 0]);
    assert.doesNotMatch(JSON.stringify(task), /SAFETY|moderation|docs\.example|told to refuse/);
  }
});

test("a failure of the upstream says upstream_error and costs nothing", async () => {
  for (const { task, balance } of await outcomes("[lab:fail=INTERNAL.BAD_OUTPUT.CODE01]")) {
    assert.deepEqual([task.status, task.error?.code, task.cost_usd], ["FAILURE", "upstream_error", 0]);
    assert.deepEqual([balance.available_usd, balance.held_usd, balance.used_usd], [1, 0, 0]);
    assert.doesNotMatch(JSON.stringify({ ...task, prompt: "", request: null }), /INTERNAL|CODE01/);
  }
});

test("a job whose answer was lost is neither repeated nor charged: unknown_outcome, one job upstream, and a row for the operator", async () => {
  for (const { task, balance, jobs } of await outcomes("[lab:reset]", "[lab:html]", "[lab:broken]", "[lab:500=accepted]")) {
    assert.deepEqual([task.status, task.error?.code, task.cost_usd], ["FAILURE", "unknown_outcome", 0]);
    assert.deepEqual([balance.available_usd, balance.held_usd], [1, 0]);
    assert.equal(jobs, 1, "jobs that were started upstream");
    const { body } = await gateway.admin("GET", "/admin/v1/attention");
    assert.ok(JSON.stringify(body).includes(task.id));
  }
});

test("a job that never arrived is sent again, and made once", async () => {
  for (const mark of ["[lab:429=1 x1]", "[lab:reset-before x1]"]) {
    const customer = client.as((await gateway.customer(1)).key);
    const id = await create(mark, customer);
    const ended = await eventually(async () => {
      clock.advance(1_500);
      const { body } = await customer.get<TaskRecord>(`/v1/tasks/${id}`);
      return ["SUCCESS", "FAILURE"].includes(body.status) && body;
    });
    const jobs = lab.jobs().filter(({ prompt }) => prompt === mark).length;
    if (mark.includes("429")) assert.deepEqual([ended.status, jobs], ["SUCCESS", 1], JSON.stringify(ended.error));
    // A reset before the answer cannot be told from one after it.
    else assert.ok((ended.status === "SUCCESS" && jobs === 1) || (ended.error?.code === "unknown_outcome" && jobs === 0));
  }
});

test("music of an upstream walks the same way in its own words", async () => {
  const { body } = await client.post<CreatedClip>("/musicA/submit/music", {
    gpt_description_prompt: "[lab:queue=20] [lab:seconds=40] song",
  });
  const seen = [body.status];
  for (const status of ["QUEUED", "IN_PROGRESS", "SUCCESS"]) {
    await reach(body.task_id, status);
    seen.push(
      (await client.get<{ data: { data: { status: string }[] } }>(`/musicA/fetch/${body.task_id}`)).body.data.data[0]?.status ?? "",
    );
  }
  assert.deepEqual(seen, ["submitted", "queued", "streaming", "complete"]);
});

test("a task that is not done before its deadline ends as expired, free of charge", async () => {
  const customer = client.as((await gateway.customer(1)).key);
  const id = await create("[lab:seconds=90000]", customer);
  await sent(id);
  clock.advance(61 * 60_000);
  const task = await eventually(async () => {
    const { body } = await customer.get<TaskRecord>(`/v1/tasks/${id}`);
    return body.status === "FAILURE" && body;
  });
  assert.deepEqual([task.error?.code, task.cost_usd], ["expired", 0]);
  assert.equal((await customer.get<Balance>("/v1/balance")).body.available_usd, 1);
});

test("every reply of this journey keeps the contract", () => client.book.check());
