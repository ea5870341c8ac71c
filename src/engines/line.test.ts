import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError } from "./engine-error.ts";
import { createLine } from "./line.ts";

test("who comes first is served first, and only as many as there are places", async () => {
  const place = { name: "only" };
  const line = createLine([place], 9);
  const served: string[] = [];
  await line.take();
  const second = line.take().then(() => served.push("second"));
  const third = line.take().then(() => served.push("third"));
  await Promise.resolve();
  assert.deepEqual(served, []);
  line.giveBack(place);
  await second;
  assert.deepEqual(served, ["second"]);
  line.giveBack(place);
  await third;
  assert.deepEqual(served, ["second", "third"]);
});

test("a job that is cancelled while it waits leaves the line, and the next one moves up", async () => {
  const place = {};
  const line = createLine([place], 9);
  await line.take();
  const impatient = new AbortController();
  const leaving = line.take(impatient.signal);
  const staying = line.take();
  impatient.abort();
  await assert.rejects(leaving, { reason: "cancelled" });
  line.giveBack(place);
  assert.equal(await staying, place);
});

test("who finds the line full is refused at once, and the line goes on", async () => {
  const place = {};
  const line = createLine([place], 1);
  await line.take();
  const second = line.take();
  await assert.rejects(line.take(), { reason: "busy" });
  line.giveBack(place);
  assert.equal(await second, place);
});

test("closing refuses those who wait and those who come later", async () => {
  const line = createLine([{}], 9);
  await line.take();
  const waiting = line.take();
  line.close(new EngineError("closed", "shut"));
  await assert.rejects(waiting, { reason: "closed" });
  await assert.rejects(line.take(), { reason: "closed" });
});
