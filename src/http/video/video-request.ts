import type { VideoInput } from "../../core/kinds.ts";
import type { Dialect } from "../../core/task.ts";
import { animationRequest } from "../image-a/image-a-request.ts";
import { fileText, said, type TaskRequest } from "../request-words.ts";
import { aspectRatio, ratioText } from "./aspect-ratio.ts";
import { resolutionOf } from "./video-wishes.ts";

/** The create of a stored video; null where it cannot be said. */
export function videoRequest(dialect: Dialect, model: string, input: VideoInput): TaskRequest | null {
  // Who sent a picture alone has nothing left without it.
  if (input.prompt.trim() === "" && input.source === undefined && fileText(input.image ?? input.lastImage) === undefined) return null;
  if (dialect === "image-a") return animationRequest(model, input);
  if (dialect === "video-b") return generationRequest(model, input);
  if (dialect !== "openai-video") return customRequest(model, input);
  if (input.source !== undefined) return remixRequest(input, input.source.taskId);
  return isOpenAi(input) ? openAiRequest(model, input) : relayedRequest(model, input);
}

function customRequest(model: string, input: VideoInput): TaskRequest {
  return {
    path: `/custom_video/model/${encodeURIComponent(model)}`,
    body: said({
      prompt: input.prompt,
      image: fileText(input.image),
      duration: wishedSeconds(input),
      aspect_ratio: ratioText(input.aspectRatio),
    }),
  };
}

function generationRequest(model: string, input: VideoInput): TaskRequest {
  const { source, extras } = input;
  return {
    path: source === undefined ? "/videoB/generations" : `/videoB/generations/${encodeURIComponent(source.taskId)}/extend`,
    body: said({
      user_prompt: input.prompt,
      image_url: fileText(input.image),
      image_end_url: fileText(input.lastImage),
      model_name: model,
      duration: wishedSeconds(input),
      aspect_ratio: ratioText(input.aspectRatio),
      resolution: input.resolution,
      loop: input.loop,
      expand_prompt: extras?.["expand_prompt"],
    }),
  };
}

function remixRequest({ prompt, extras }: VideoInput, from: string): TaskRequest {
  return { path: `/v1/videos/${encodeURIComponent(from)}/remix`, body: { ...extras, prompt } };
}

/** What OpenAI's create can say; the other one of that dialect has more words, and another usual length. */
function isOpenAi({ size, resolution, aspectRatio: shape, negativePrompt, lastImage, seed, ...input }: VideoInput): boolean {
  if (size === undefined || negativePrompt !== undefined || lastImage !== undefined || seed !== undefined) return false;
  if (resolution === undefined) return true;
  const text = `${size.width}x${size.height}`;
  const follows = resolution === resolutionOf(text) && ratioText(aspectRatio(text)) === ratioText(shape);
  return follows && /^\d{2,}x\d{2,}$/.test(text) && !(input.isDefaultDuration === true && input.durationSeconds === usualRelayed);
}

const usualRelayed = 5;

function openAiRequest(model: string, input: VideoInput): TaskRequest {
  const { size, resolution, extras } = input;
  return {
    path: "/v1/videos",
    body: said({
      prompt: input.prompt,
      model,
      seconds: wishedSeconds(input)?.toString(),
      size: resolution === undefined || size === undefined ? undefined : `${size.width}x${size.height}`,
      input_reference: fileText(input.image),
      metadata: extras,
    }),
  };
}

function relayedRequest(model: string, input: VideoInput): TaskRequest {
  const { size, extras } = input;
  const [first, last] = [fileText(input.image), fileText(input.lastImage)];
  return {
    path: "/v1/video/generations",
    body: said({
      model,
      prompt: input.prompt,
      negative_prompt: input.negativePrompt,
      image: first,
      images: first !== undefined && last !== undefined ? [first, last] : undefined,
      duration: wishedSeconds(input),
      width: size?.width,
      height: size?.height,
      aspect_ratio: ratioText(input.aspectRatio),
      resolution: input.resolution,
      seed: input.seed,
      metadata: extras,
    }),
  };
}

function wishedSeconds({ durationSeconds, isDefaultDuration }: VideoInput): number | undefined {
  return isDefaultDuration === true ? undefined : durationSeconds;
}
