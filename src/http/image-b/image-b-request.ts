import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { ImageInput, InputFile } from "../../core/kinds.ts";
import type { Draft } from "../../core/plan.ts";
import { aspectRatio } from "../video/aspect-ratio.ts";
import { extrasOf } from "../extras.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import { parseJsonBody } from "../json-body.ts";
import type { Form } from "../multipart.ts";
import type { Services } from "../services.ts";
import { maybe } from "../calls/text-fields.ts";
import { Hooks, nullable } from "../wire.ts";

/** What can be asked for: the last word of the address. */
export const imageBWays = ["generate", "remix", "upscale", "describe", "edit"] as const;
export type ImageBWay = (typeof imageBWays)[number];

const percent = (description: string) => Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100, description })));
const picture = Type.Optional(
  nullable(Type.String({ description: "a file of the form; in JSON a http(s) URL, a data URI, or the id of an uploaded file" })),
);
const shape = "^((ASPECT_)?[0-9]{1,4}[_x:][0-9]{1,4})?$";
const pixels = "^((RESOLUTION_)?[0-9]{2,4}[_x][0-9]{2,4})?$";

const wishes = {
  prompt: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  model: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: "^[^\\u0000-\\u001f]*$", description: "V_2 unless given" }))),
  aspect_ratio: Type.Optional(nullable(Type.String({ pattern: shape, description: "ASPECT_16_9 or 16x9" }))),
  resolution: Type.Optional(nullable(Type.String({ pattern: pixels, description: "RESOLUTION_1024_1024 or 1024x1024" }))),
  num_images: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 8, description: "1 to 8" }))),
  seed: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "0 to 2147483647" }))),
  negative_prompt: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  magic_prompt_option: maybe.text,
  magic_prompt: maybe.text,
  style_type: maybe.text,
  style_preset: maybe.text,
  rendering_speed: maybe.text,
  color_palette: Type.Optional(nullable(Type.Object({ name: maybe.text }))),
  image_weight: percent("1 to 100: how near to the picture a remix stays"),
  resemblance: percent("0 to 100"),
  detail: percent("0 to 100"),
  describe_model_version: maybe.text,
};

/** The older wire has its wishes inside `image_request`, the newer one beside the picture. */
export const ImageBRequest = Type.Object(
  {
    image_request: Type.Optional(nullable(Type.Object(wishes))),
    ...wishes,
    image_file: picture,
    image: picture,
    mask: picture,
    ...Hooks,
  },
  { description: "A picture to make, to change, to enlarge or to describe." },
);

type Body = Static<typeof ImageBRequest>;
type Wishes = NonNullable<Body["image_request"]>;

const speeds: Record<string, string> = { FLASH: "V_3_FLASH", TURBO: "V_3_TURBO", QUALITY: "V_3_QUALITY" };

/** The create that a request means; on the newer wire the model follows from the speed. */
export async function imageBDraft(
  way: ImageBWay,
  body: Body,
  caller: Caller,
  services: Services,
  isNewer = false,
): Promise<Draft & { kind: "image" }> {
  const asked: Wishes = body.image_request ?? body;
  const param = body.image_file ? "image_file" : "image";
  const source = way === "generate" ? undefined : await pictureOf(body.image_file || body.image, param, caller, services);
  const mask = way === "edit" ? await pictureOf(body.mask, "mask", caller, services) : undefined;
  if (way !== "generate" && source === undefined)
    throw new Failure("invalid_request", { says: "'image_file' is required: a PNG, JPEG, WebP or GIF.", param: "image_file" });
  if (way === "edit" && mask === undefined)
    throw new Failure("invalid_request", { says: "'mask' is required: a picture that is black where to paint.", param: "mask" });
  const prompt = asked.prompt ?? "";
  if (prompt.trim() === "" && way !== "upscale" && way !== "describe")
    throw new Failure("invalid_request", { says: "'prompt' is required.", param: body.image_request ? "image_request.prompt" : "prompt" });
  const usual = way === "describe" ? "describe" : isNewer ? (speeds[asked.rendering_speed ?? ""] ?? "V_3") : "V_2";
  const input: ImageInput = {
    act: way === "remix" ? "edit" : way,
    prompt,
    images: source === undefined ? [] : [source],
    ...(mask && { mask, maskPaints: "black" }),
    count: asked.num_images ?? 1,
    grid: false,
    ...inputOf(asked),
    ...(way === "remix" && { strength: 1 - (asked.image_weight ?? 50) / 100 }),
    ...extrasOf(furtherOf(asked)),
  };
  return { kind: "image", dialect: "image-b", model: (way === "describe" ? null : asked.model) || usual, input };
}

async function pictureOf(text: string | null | undefined, param: string, caller: Caller, { checkUrl, store }: Services) {
  if (!text) return undefined;
  const file: InputFile = inputFile(text, param, checkUrl);
  await checkUpload(file, param, caller, store);
  return file;
}

function inputOf({ aspect_ratio, resolution, seed, negative_prompt: negativePrompt }: Wishes) {
  const [width = 0, height = 0] = (resolution?.match(/\d+/g) ?? []).map(Number);
  if (resolution && (width < 64 || height < 64 || width > 4096 || height > 4096))
    throw new Failure("invalid_request", { says: "'resolution' must be 64 to 4096 pixels wide and high.", param: "resolution" });
  return {
    ...(negativePrompt && { negativePrompt }),
    ...(resolution ? { size: { width, height } } : aspect_ratio ? { aspectRatio: aspectRatio(aspect_ratio) } : {}),
    ...(seed === undefined || seed === null ? {} : { seed }),
  };
}

function furtherOf(asked: Wishes): Record<string, unknown> {
  const { magic_prompt_option, magic_prompt, style_type, style_preset, rendering_speed, color_palette } = asked;
  const { image_weight, resemblance, detail, describe_model_version } = asked;
  return {
    magic_prompt_option: magic_prompt_option || magic_prompt,
    style_type,
    style_preset,
    rendering_speed,
    color_palette: color_palette?.name,
    image_weight,
    resemblance,
    detail,
    describe_model_version,
  };
}

const whole = new Set(["num_images", "seed", "image_weight", "resemblance", "detail"]);

/** A form as the JSON body it stands for. */
export function imageBForm({ fields, files }: Form): unknown {
  const read = Object.entries(fields).map(([name, text]) => {
    if (name === "image_request" || name === "color_palette") return [name, parseJsonBody(text)];
    return [name, whole.has(name) && /^\d+$/.test(text) ? Number(text) : text];
  });
  const named = Object.entries(files).filter(([name]) => ["image_file", "image", "mask"].includes(name));
  return { ...Object.fromEntries(read), ...Object.fromEntries(named) };
}
