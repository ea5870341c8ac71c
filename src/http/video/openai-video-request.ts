import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import type { InputFile } from "../../core/kinds.ts";
import type { Draft } from "../../core/plan.ts";
import { aspectRatio } from "./aspect-ratio.ts";
import { extrasOf } from "../extras.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import type { Form } from "../multipart.ts";
import type { Services } from "../services.ts";
import { modelName, passing } from "../calls/text-fields.ts";
import {
  lengthOf,
  metadataOf,
  MetadataWish,
  needPrompt,
  pixelsOf,
  resolutionOf,
  secondsWish,
  sizeWish,
  videoSource,
} from "./video-wishes.ts";
import { Hooks, nullable } from "../wire.ts";

const text = Type.Optional(nullable(Type.String()));

export const OpenAiVideoRequest = Type.Object(
  {
    prompt: Type.Optional(
      nullable(Type.String({ maxLength: 32_000, description: "what the video shows; needed unless there is an image" })),
    ),
    model: Type.Optional(nullable(modelName)),
    seconds: secondsWish,
    size: sizeWish,
    input_reference: Type.Optional(
      nullable(
        Type.Union([Type.String(), Type.Object({ image_url: text, file_id: text })], {
          description:
            "a picture to begin with: a http(s) URL, a data URI, or the id of an uploaded file, also as image_url or file_id of an object",
        }),
      ),
    ),
    metadata: MetadataWish,
    ...Hooks,
  },
  { ...passing, description: "A video to make." },
);

export const RemixRequest = Type.Object(
  { prompt: Type.String({ minLength: 1, maxLength: 32_000, description: "what is to be different" }), ...Hooks },
  { ...passing, description: "A video to make from another one." },
);

/** The create that a request means. */
export async function openAiVideoDraft(body: Static<typeof OpenAiVideoRequest>, caller: Caller, services: Services): Promise<Draft> {
  const { prompt, model, seconds, size, input_reference: reference, metadata, ...rest } = body;
  const image = referenceOf(reference, services.checkUrl);
  await checkUpload(image, "input_reference", caller, services.store);
  needPrompt(prompt ?? "", image !== undefined, "prompt");
  const frame = (size || "720x1280").replace(/\D/, "x");
  return {
    kind: "video",
    dialect: "openai-video",
    model: model ?? "sora-2",
    input: {
      prompt: prompt ?? "",
      ...(image && { image }),
      ...lengthOf(seconds, 4, "seconds"),
      aspectRatio: aspectRatio(frame, "size"),
      // Nobody asked for the usual size: an upstream that does not know it makes its own.
      ...(size && { resolution: resolutionOf(frame) }),
      size: pixelsOf(frame),
      ...extrasOf({ ...metadataOf(metadata), ...rest }),
    },
  };
}

function referenceOf(reference: Static<typeof OpenAiVideoRequest>["input_reference"], check: Services["checkUrl"]): InputFile | undefined {
  const named = typeof reference === "object" ? reference?.image_url || reference?.file_id : reference;
  return named ? inputFile(named, "input_reference", check) : undefined;
}

/** The create that changes a finished video, with the shape and length of that. */
export async function remixDraft(id: string, body: Static<typeof RemixRequest>, caller: Caller, services: Services): Promise<Draft> {
  const { task, source } = await videoSource(services, caller, id, "remix");
  const { prompt, ...rest } = body;
  const { durationSeconds, aspectRatio: shape, resolution, size } = task.input;
  return {
    kind: "video",
    dialect: "openai-video",
    model: task.model,
    input: {
      prompt,
      source,
      durationSeconds,
      isDefaultDuration: true,
      aspectRatio: shape,
      ...(resolution && { resolution }),
      ...(size && { size }),
      ...extrasOf(rest),
    },
  };
}

/** A form as the JSON body it stands for; an object in it comes as fields with brackets. */
export function openAiVideoForm({ fields, files }: Form): unknown {
  const { "input_reference[image_url]": address, "input_reference[file_id]": upload, "input_reference[]": _several, ...rest } = fields;
  const reference = files["input_reference"] ?? files["input_reference[]"] ?? files["image"] ?? address ?? upload;
  return { ...rest, ...(reference === undefined ? {} : { input_reference: reference }) };
}
