import { Type } from "typebox";
import type { CallOperation } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked } from "../../core/meter.ts";
import { imageMeter } from "../../dialects/meters/plain-meters.ts";
import { answer } from "./call.ts";
import { wantsTask } from "./deferred.ts";
import { formAsked } from "./form-call.ts";
import { awaitImages, deferImages, isTaskOnly } from "./image-task.ts";
import { jsonAsked } from "./json-call.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import { handOver } from "./pictures.ts";
import type { Services } from "../services.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { isSaid, nullable } from "../wire.ts";

const usualModel = "dall-e";
const sizePattern = /^(auto|[0-9]{2,4}x[0-9]{2,4})$/;
const size = Type.Optional(nullable(Type.String({ pattern: sizePattern.source, description: "widthxheight, or auto" })));
const format = Type.Optional(nullable(Type.Union([Type.Literal("url"), Type.Literal("b64_json")])));

export const ImageRequest = Type.Object(
  {
    prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
    model: Type.Optional(nullable(modelName)),
    n: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
    size,
    quality: maybe.text,
    style: maybe.text,
    response_format: format,
    background: maybe.text,
    output_format: Type.Optional(nullable(Type.Union([Type.Literal("png"), Type.Literal("jpeg"), Type.Literal("webp")]))),
    output_compression: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
    stream: maybe.flag,
    user: maybe.text,
    async: maybe.deferred,
  },
  { ...passing, description: "A picture to make." },
);

const group = {
  method: "POST",
  tag: "images",
  errors: "plain",
  auth: "client",
  scope: "images",
  passesUnknown: true,
  isCall: true,
  reply: foreignReply("OpenAI's images object: data with `url` or `b64_json`"),
} as const;

function answerImages(
  { caller, request, reply, base }: Ask<unknown, unknown, unknown>,
  asked: Asked,
  services: Services,
): Promise<unknown> {
  if (wantsTask(asked)) return deferImages({ caller, request, reply, base, asked }, services);
  // Models of one family only know pictures inside the reply; the others hand out addresses unless asked.
  const wished = asked.body["response_format"] ?? (/gpt-image/.test(asked.model) ? undefined : "url");
  if (isTaskOnly(services.catalog, asked)) return awaitImages({ caller, request, reply, base, asked }, services, wished ?? "b64_json");
  return answer({ caller, request, reply, asked, meter: imageMeter }, services, (whole, provider) =>
    handOver(services, whole, {
      caller,
      base,
      format: wished,
      allowPrivate: services.catalog.provider(provider)?.allowPrivateNetwork ?? false,
    }),
  );
}

const createImage = operation({
  ...group,
  url: "/v1/images/generations",
  summary: "Make pictures",
  body: ImageRequest,
  bodyLimit: mebibyte,
  async run(ask, services) {
    needPrompt(ask.body.prompt);
    return answerImages(ask, jsonAsked("image", ask, usualModel), services);
  },
});

/** Edits and variations come as a form. */
async function formRequest(name: CallOperation, ask: Ask<unknown, unknown, unknown>): Promise<Asked> {
  const asked = await formAsked(name, ask, usualModel);
  const pictures = asked.files.filter(({ field }) => /^image(\[\d*\])?$/.test(field));
  if (pictures.length === 0)
    throw new Failure("invalid_request", { says: "'image' is required: a PNG, JPEG or WebP file.", param: "image" });
  for (const { field, mime } of asked.files)
    if (!/^image\/(png|jpeg|webp|gif)$/.test(mime))
      throw new Failure("invalid_request", { says: `'${field}' must be a PNG, JPEG, WebP or GIF file.`, param: field });
  const { n, prompt, size: wished, response_format: shape } = asked.body;
  if (wished !== undefined && !(typeof wished === "string" && sizePattern.test(wished)))
    throw new Failure("invalid_request", { says: "'size' must be widthxheight, such as 1024x1024, or auto.", param: "size" });
  if (shape !== undefined && shape !== "url" && shape !== "b64_json")
    throw new Failure("invalid_request", { says: "'response_format' must be url or b64_json.", param: "response_format" });
  if (typeof n === "number" && !(Number.isInteger(n) && n >= 1 && n <= 10))
    throw new Failure("invalid_request", { says: "'n' must be 1 to 10.", param: "n" });
  if (name === "image-edit") needPrompt(prompt);
  return asked;
}

function needPrompt(prompt: unknown): void {
  if (!isSaid(prompt))
    throw new Failure("invalid_request", { says: "'prompt' is required, and spaces alone say nothing.", param: "prompt" });
}

const FormFields = Type.Object(
  {
    image: Type.Optional(Type.Unknown({ description: "a file, or several as image[]" })),
    mask: Type.Optional(
      Type.Unknown({ description: "a file whose transparent pixels say where to paint; without any, its white ones do" }),
    ),
    prompt: maybe.text,
    model: maybe.text,
    n: Type.Optional(Type.Unknown()),
    size,
    response_format: format,
  },
  passing,
);

/** The same fields as a quote takes them, which needs no files. */
export const ImageFormQuote = Type.Object(
  {
    ...FormFields.properties,
    n: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 10 }), Type.String({ pattern: "^([1-9]|10)$" })])),
  },
  passing,
);

const editImage = operation({
  ...group,
  url: "/v1/images/edits",
  summary: "Change pictures",
  body: FormFields,
  multipart: "only",
  bodyLimit: 64 * mebibyte,
  run: async (ask, services) => answerImages(ask, await formRequest("image-edit", ask), services),
});

const varyImage = operation({
  ...group,
  url: "/v1/images/variations",
  summary: "Make variations of a picture",
  body: FormFields,
  multipart: "only",
  bodyLimit: 64 * mebibyte,
  run: async (ask, services) => answerImages(ask, await formRequest("image-variation", ask), services),
});

export const imageOperations = [createImage, editImage, varyImage];
