import assert from "node:assert/strict";
import { test } from "node:test";
import { Mailbox } from "./mailbox.ts";

test("what waits is read together, what comes later when it comes, and nothing twice", async () => {
  const box = new Mailbox<number>();
  box.put(1);
  box.put(2);
  const reader = box[Symbol.asyncIterator]();
  assert.deepEqual(await reader.next(), { done: false, value: [1, 2] });
  const later = reader.next();
  box.put(3);
  assert.deepEqual(await later, { done: false, value: [3] });
  box.put(4);
  box.close();
  assert.deepEqual(await reader.next(), { done: false, value: [4] });
  assert.deepEqual(await reader.next(), { done: true, value: undefined });
});

test("it opens with its first item, or when nothing will come", async () => {
  const box = new Mailbox<number>();
  let isOpen = false;
  const opened = box.opened.then(() => (isOpen = true));
  await Promise.resolve();
  assert.equal(isOpen, false);
  box.close();
  await opened;
  assert.ok(box.isEmpty);
});
