import type { ImageAct } from "../../core/kinds.ts";
import type { Fields, Send, Start, StartOf } from "../job/spec.ts";

// A video's prompt with its parameters, where it has any.
const asWritten = { prompt: "input.midjourney.prompt" } as const;
const told = { notifyHook: "callback.url", state: "taskId" } as const;
const bot = { botType: { from: "model", as: { lookup: { midjourney: "MID_JOURNEY", niji: "NIJI_JOURNEY" } } } } as const;
const accountFilter = {
  object: { modes: [{ from: "input.midjourney.mode", as: "upper" }] },
  when: [{ at: "input.midjourney.mode", exists: true }],
} as const;

const pictures = { each: "input.images", item: { from: "item", as: "data-uri" } } as const;
const first = { from: "input.images[0]", as: "data-uri" } as const;
const second = { from: "input.images[1]", as: "data-uri" } as const;
const mask = { from: "input.mask", as: { mask: "white", as: "data-uri" } } as const;
const maskAlone = { from: "input.mask", as: { mask: "white", as: "data-uri", alone: true } } as const;
const dimensions = {
  from: "input.aspectRatio",
  as: [{ nearestRatio: ["1:1", "2:3", "3:2"] }, { lookup: { "1:1": "SQUARE", "2:3": "PORTRAIT", "3:2": "LANDSCAPE" } }],
} as const;
const motion = { from: "input.midjourney.motion", or: "low" } as const;

const taskId = "input.source.upstreamTaskId";
const press = { taskId, customId: "input.source.button" } as const;
const isKnown = { at: taskId, exists: true } as const;
const isPressed = [isKnown, { at: "input.source.button", exists: true }] as const;

/** The codes that mean yes: taken, there already or waiting for a window, and queued. */
export const taken = [{ at: "code", is: [1, 21, 22] }] as const;

// Some buttons open a window first: the press names the task that waits, and the window's answer starts it.
const answered = {
  kind: "image",
  prepare: { waiting: { send: "POST /mj/submit/action", body: press, ok: taken, take: "result" } },
  send: "POST /mj/submit/modal",
  body: { taskId: "prepared.waiting", prompt: "input.prompt", maskBase64: maskAlone, ...told },
} as const;

/** How each act is asked of a Midjourney proxy. */
export const ways: readonly Start[] = [
  { ...answered, when: [...isPressed, { at: "input.mask", exists: true }] },
  { ...answered, when: [...isPressed, { at: "input.midjourney.modal", is: true }] },
  { kind: "image", when: isPressed, send: "POST /mj/submit/action", body: { ...press, ...told } },
  change("upscale", "UPSCALE"),
  change("vary", "VARIATION"),
  change("reroll", "REROLL"),
  act("generate", "POST /mj/submit/imagine", { prompt: "input.prompt", base64Array: pictures, ...bot, accountFilter }),
  act("blend", "POST /mj/submit/blend", { base64Array: pictures, dimensions, ...bot }),
  act("describe", "POST /mj/submit/describe", { base64: first, ...bot }),
  act("shorten", "POST /mj/submit/shorten", { prompt: "input.prompt", ...bot }),
  act("edit", "POST /mj/submit/edits", { prompt: "input.prompt", image: first, maskBase64: mask }),
  act("swap", "POST /mj/insight-face/swap", { sourceBase64: first, targetBase64: second }),
  {
    kind: "video",
    when: [isKnown, { at: "input.source.act", is: "extend" }],
    send: "POST /mj/submit/video",
    body: {
      merge: [
        { taskId, action: { const: "extend" }, index: { from: "input.midjourney.index", or: 0 }, prompt: "input.prompt", motion, ...told },
        asWritten,
      ],
    },
  },
  {
    kind: "video",
    when: [{ at: "input.image", exists: true }],
    send: "POST /mj/submit/video",
    body: {
      merge: [
        {
          prompt: "input.prompt",
          image: { from: "input.image", as: "link" },
          endImage: { from: "input.lastImage", as: "link" },
          motion,
          loop: "input.loop",
          ...told,
        },
        asWritten,
      ],
    },
  },
];

function act(name: ImageAct, send: Send, body: Fields<"image">): StartOf<"image"> {
  return { kind: "image", when: [{ at: "input.act", is: name }], send, body: { ...body, ...told } };
}

function change(name: ImageAct, action: string): StartOf<"image"> {
  const index = { from: "input.source.place", as: { lookup: { 0: 1, 1: 2, 2: 3, 3: 4 } } } as const;
  return {
    ...act(name, "POST /mj/submit/change", { taskId, action: { const: action }, index }),
    when: [isKnown, { at: "input.act", is: name }],
  };
}
