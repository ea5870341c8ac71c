import assert from "node:assert/strict";
import { test } from "node:test";
import { pressedButton, pressedChange, shownButtons } from "./buttons.ts";
import { imageTask, picturesNamed } from "./image-task.fixture.ts";

const able = () => true;
const upstreamId = "b1c2d3e4-0000-4000-8000-0123456789ab";
const upstream = (...names: string[]) => names.map((id) => ({ id, label: "a label", emoji: "" }));

test("a grid of four offers to enlarge and vary each, and to make all again", () => {
  const task = imageTask({}, { pictures: picturesNamed("p1", "p2", "p3", "p4"), grid: "g" });
  const shown = shownButtons(task, able);
  assert.deepEqual(
    shown.map(({ label, emoji }) => label || emoji),
    ["U1", "U2", "U3", "U4", "🔄", "V1", "V2", "V3", "V4"],
  );
  assert.equal(shown[1]?.customId, `MJ::JOB::upsample::2::${task.id}`);
  assert.deepEqual(pressedButton(task, `MJ::JOB::upsample::2::${task.id}`)?.press, { action: "UPSCALE", act: "upscale", place: 1 });
});

test("a grid that the upstream gives as one picture still has four places", () => {
  const task = imageTask({}, { pictures: picturesNamed("g"), grid: "g" });
  assert.equal(pressedChange(task, "VARIATION", 3)?.press.place, 3);
  assert.equal(pressedChange(task, "VARIATION", 4), null);
});

test("one picture offers variations, zooms and ways to go; two of its buttons ask for more", () => {
  const task = imageTask({ act: "upscale", count: 1, grid: false }, { pictures: picturesNamed("p") });
  const presses = shownButtons(task, able).map(({ customId }) => pressedButton(task, customId)?.press);
  assert.deepEqual(
    presses.map((press) => press?.act),
    ["vary", "vary", "edit", "zoom", "zoom", "zoom", "pan", "pan", "pan", "pan"],
  );
  assert.deepEqual(presses.map((press) => press?.asks).filter(Boolean), ["mask", "prompt"]);
  assert.deepEqual(presses.map((press) => press?.direction).filter(Boolean), ["left", "right", "up", "down"]);
  assert.deepEqual(presses.map((press) => press?.zoom).filter(Boolean), [2, 1.5, 2]);
});

test("only what the model is able to do is offered", () => {
  const task = imageTask({}, { pictures: picturesNamed("p1", "p2"), grid: "g" });
  const labels = shownButtons(task, (act) => act === "vary").map(({ label }) => label);
  assert.deepEqual(labels, ["V1", "V2"]);
});

test("the upstream's buttons are shown under our id, and lead back to its own names", () => {
  const names = [`MJ::JOB::upsample::1::${upstreamId}`, `MJ::CustomZoom::${upstreamId}`, `MJ::JOB::low_variation::1::${upstreamId}::SOLO`];
  const task = imageTask({}, { pictures: picturesNamed("g"), grid: "g", buttons: upstream(...names) });
  const shown = shownButtons(task, able);
  assert.deepEqual(
    shown.map(({ customId }) => customId),
    [`MJ::JOB::upsample::1::${task.id}`, `MJ::CustomZoom::${task.id}`, `MJ::JOB::low_variation::1::${task.id}::SOLO`],
  );
  assert.deepEqual(
    shown.map(({ customId }) => pressedButton(task, customId)?.button),
    names,
  );
});

test("no id of an upstream is shown, whatever it looks like, and two buttons never share one of ours", () => {
  const odd = ["0123456789", "abcdef0123456789abcdef0123456789", "tok-9f", upstreamId.toUpperCase()];
  const names = odd.map((id) => `MJ::CustomZoom::${id}`);
  const task = imageTask({}, { pictures: picturesNamed("g"), grid: "g", buttons: upstream(...names) });
  const ids = shownButtons(task, able).map(({ customId }) => customId);
  assert.equal(new Set(ids).size, odd.length);
  for (const id of odd) assert.ok(!ids.join(" ").includes(id), id);
  assert.equal(pressedButton(task, ids[2] ?? "")?.button, names[2]);
});

test("a button that we cannot follow is not shown", () => {
  const task = imageTask(
    {},
    { pictures: picturesNamed("g"), buttons: upstream(`MJ::BOOKMARK::${upstreamId}`, `MJ::JOB::reroll::0::${upstreamId}::SOLO`) },
  );
  assert.deepEqual(
    shownButtons(task, able).map(({ customId }) => customId),
    [`MJ::JOB::reroll::0::${task.id}::SOLO`],
  );
});

test("each prompt that was read off a picture has its button, also where they came as one text", () => {
  const apart = imageTask({ act: "describe" }, { texts: ["one", "two"] });
  const together = imageTask({ act: "describe" }, { texts: ["1️⃣ one\n\n2️⃣ two\n\n3️⃣ three"], buttons: upstream("MJ::Job::PicReader::1") });
  assert.equal(shownButtons(apart, able).length, 2);
  assert.equal(shownButtons(together, able).length, 3);
  assert.equal(pressedButton(together, `MJ::Job::PicReader::3::${together.id}`)?.press.text, 2);
});

test("a task that is not finished has no buttons", () => {
  assert.deepEqual(shownButtons(imageTask(), able), []);
});
