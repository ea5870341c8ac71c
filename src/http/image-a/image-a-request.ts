import type { Extras, ImageInput, ImageSource, InputFile, VideoInput } from "../../core/kinds.ts";
import { fileText, said, type TaskRequest } from "../request-words.ts";
import { wholePrompt } from "./asking.ts";
import { buttonOf, maskedButton } from "./buttons.ts";

/** The create of stored pictures of this group; null where one request cannot say it: pictures it carried, what a modal asked for. */
export function imageARequest(model: string, input: ImageInput): TaskRequest | null {
  const common = commonOf(input, model);
  if (input.source !== undefined) return followUpRequest(input, input.source, common);
  const files = input.images.map(fileText);
  const [first, second] = files;
  if (files.includes(undefined) || (input.mask !== undefined && fileText(input.mask) === undefined)) return null;
  const prompt = wholePrompt(input);
  switch (input.act) {
    case "generate":
      return asked("imagine", { prompt, base64Array: files.length > 0 ? files : undefined, ...common });
    case "blend":
      return asked("blend", { base64Array: files, dimensions: input.midjourney?.["dimensions"], ...common });
    case "describe":
      return asked("describe", { base64: first, ...common });
    case "shorten":
      return asked("shorten", { prompt, ...common });
    case "edit":
      return asked("edits", { prompt, image: first, maskBase64: fileText(input.mask), ...common });
    case "swap":
      return { path: "/imageA/insight-face/swap", body: said({ sourceBase64: first, targetBase64: second, ...common }) };
    default:
      return null;
  }
}

/** The same of a video. */
export function animationRequest(model: string, input: VideoInput): TaskRequest | null {
  const image = fileText(input.image);
  if (image === undefined && input.source === undefined) return null;
  return asked("video", {
    prompt: wholePrompt(input) || undefined,
    image,
    taskId: input.source?.taskId,
    endImage: fileText(input.lastImage),
    motion: input.midjourney?.["motion"],
    loop: input.loop,
    ...commonOf(input, model),
  });
}

function followUpRequest(input: ImageInput, { taskId, place, button }: ImageSource, common: Record<string, unknown>): TaskRequest | null {
  const { midjourney: wishes = {} } = input;
  const { botType: _model, ...given } = common;
  const action = wishes["action"];
  if (wishes["modal"] === true) return null;
  if (action === "REROLL") return asked("change", { taskId, action, ...given });
  if (place !== null) return asked("change", { taskId, action, index: place + 1, ...given });
  const customId = button === null ? buttonOf(input, taskId) : maskedButton(button, taskId);
  return customId === null ? null : asked("action", { taskId, customId, ...given });
}

function asked(way: string, body: Record<string, unknown>): TaskRequest {
  return { path: `/imageA/submit/${way}`, body: said(body) };
}

function commonOf({ midjourney = {} }: { midjourney?: Extras; images?: InputFile[] }, model: string): Record<string, unknown> {
  const { mode, state }: Partial<Extras> = midjourney;
  return {
    botType: model === "niji" ? "NIJI_JOURNEY" : undefined,
    state,
    accountFilter: mode === undefined ? undefined : { modes: [mode] },
  };
}
