import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnswerCall, Call } from "../core/call.ts";
import type { ImageInput } from "../core/kinds.ts";
import type { PictureLimits, Work } from "../core/provider.ts";
import { withImageTasks } from "./image-tasks.ts";

const edit: ImageInput = { act: "edit", prompt: "at night", images: [{ from: "file", id: "picture" }], count: 1, grid: false };

test("the mask of an edit is sent in OpenAI's way, transparent where to paint", async () => {
  const calls: Call[] = [];
  const asked: [string, PictureLimits | undefined][] = [];
  const answer: AnswerCall = async (call) => {
    calls.push(call);
    return { state: "refused", refusal: { class: "invalid" } };
  };
  const work: Work = {
    signal: new AbortController().signal,
    credential: { id: "1", secret: "s" },
    report: () => {},
    load: async (file, limits) => {
      const name = file.from === "file" ? file.id : "";
      asked.push([name, limits]);
      return { bytes: Buffer.from(name), mime: "image/png" };
    },
  };
  const { tasks } = withImageTasks({ calls: { image: answer, "image-edit": answer } });
  const mask = { from: "file", id: "mask" } as const;
  for (const input of [
    { ...edit, mask },
    { ...edit, mask, maskPaints: "black" },
  ] as const)
    await tasks?.start({ kind: "image", input, taskId: "t", attempt: 1, model: "m", idempotencyKey: "t-1" }, work);
  assert.deepEqual(asked, [
    ["picture", undefined],
    ["mask", { mask: { wanted: "transparent" } }],
    ["picture", undefined],
    ["mask", { mask: { given: "black", wanted: "transparent" } }],
  ]);
  assert.deepEqual(
    calls[0]?.files.map(({ field, bytes }) => [field, String(bytes)]),
    [
      ["image", "picture"],
      ["mask", "mask"],
    ],
  );
});
