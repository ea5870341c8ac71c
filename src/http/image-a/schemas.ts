import { Type } from "typebox";
import { Hooks, nullable } from "../wire.ts";

const optional = (maxLength: number, description: string) => Type.Optional(nullable(Type.String({ maxLength, description })));
const choice = <const T extends string>(words: readonly T[], description: string) =>
  Type.Optional(
    nullable(
      Type.Union(
        words.map((word) => Type.Literal(word)),
        { description },
      ),
    ),
  );

const longestPrompt = 6_000;
const described = "a data URI, base64, a http(s) URL, or the id of an uploaded file";
const picture = Type.String({ minLength: 1, description: described });
const maybePicture = Type.Optional(nullable(Type.String({ description: described })));
const prompt = optional(longestPrompt, "a prompt, with parameters such as --ar 16:9");
const taskId = Type.String({ minLength: 1, maxLength: 100, description: "a finished task" });

/** What every create of this dialect takes. */
const given = {
  state: optional(2_000, "given back in the record"),
  accountFilter: Type.Optional(nullable(Type.Object({}, { additionalProperties: true, description: "`modes` names the speed wanted" }))),
  ...Hooks,
};

const botType = choice(["MID_JOURNEY", "NIJI_JOURNEY"], "the model: midjourney unless NIJI_JOURNEY");

export const ImagineRequest = Type.Object({
  prompt: Type.String({ minLength: 1, maxLength: longestPrompt, description: "what to show, with parameters such as --ar 16:9" }),
  base64Array: Type.Optional(nullable(Type.Array(picture, { maxItems: 5, description: "up to 5 pictures to go by" }))),
  botType,
  ...given,
});

export const BlendRequest = Type.Object({
  base64Array: Type.Array(picture, { minItems: 2, maxItems: 5, description: "2 to 5 pictures" }),
  dimensions: choice(["PORTRAIT", "SQUARE", "LANDSCAPE"], "PORTRAIT, SQUARE or LANDSCAPE"),
  botType,
  ...given,
});

export const DescribeRequest = Type.Object({ base64: maybePicture, link: maybePicture, botType, ...given });

export const ShortenRequest = Type.Object({
  prompt: Type.String({ minLength: 1, maxLength: longestPrompt, description: "the prompt to shorten" }),
  botType,
  ...given,
});

export const ChangeRequest = Type.Object({
  taskId,
  action: Type.Union([Type.Literal("UPSCALE"), Type.Literal("VARIATION"), Type.Literal("REROLL")], {
    description: "UPSCALE, VARIATION or REROLL",
  }),
  index: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 4, description: "which picture, 1 to 4; not for REROLL" }))),
  ...given,
});

export const SimpleChangeRequest = Type.Object({
  content: Type.String({
    pattern: "^\\s*\\S{1,100}\\s+([UVuv][1-4]|[Rr])\\s*$",
    description: "a task and a change: '<task id> U2', '<task id> V3' or '<task id> R'",
  }),
  ...given,
});

export const ActionRequest = Type.Object({
  taskId,
  customId: Type.String({ minLength: 1, maxLength: 300, description: "the customId of one of the task's buttons" }),
  chooseSameChannel: Type.Optional(nullable(Type.Boolean({ description: "accepted and not used" }))),
  ...given,
});

export const ModalRequest = Type.Object({
  taskId: Type.String({ minLength: 1, maxLength: 100, description: "the task that an action answered with code 21" }),
  prompt,
  maskBase64: maybePicture,
  ...given,
});

export const EditsRequest = Type.Object({
  prompt: Type.String({ minLength: 1, maxLength: longestPrompt, description: "what to make of the picture" }),
  image: maybePicture,
  base64: maybePicture,
  maskBase64: maybePicture,
  botType,
  ...given,
});

export const VideoRequest = Type.Object({
  prompt,
  image: maybePicture,
  base64: maybePicture,
  endImage: maybePicture,
  taskId: optional(100, "a finished task: its picture is the first frame, its video is extended"),
  index: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 4, description: "which picture of that task, 1 to 4; 1 unless given" })),
  ),
  motion: choice(["low", "high"], "low or high"),
  loop: Type.Optional(nullable(Type.Boolean())),
  botType,
  ...given,
});

export const SwapRequest = Type.Object({ sourceBase64: picture, targetBase64: picture, ...given });

export const SubmitReply = Type.Object({
  code: Type.Integer({ description: "1: accepted; 21: waits for a modal" }),
  description: Type.String(),
  result: Type.String({ description: "the task's id" }),
  properties: Type.Object({}, { additionalProperties: true }),
});
