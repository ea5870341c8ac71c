import { Type, type TSchema } from "typebox";
import type { CallOperation } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import type { Meter } from "../core/meter.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Draft } from "../core/plan.ts";
import type { Quote } from "../core/pricing.ts";
import { embeddingMeter, imageMeter, moderationMeter, rerankMeter, speechMeter } from "../dialects/meters/plain-meters.ts";
import { chatMeter, completionMeter, messageMeter, responseMeter } from "../dialects/meters/text-meters.ts";
import { SpeechRequest } from "./calls/audio.ts";
import { ChatRequest } from "./calls/chat.ts";
import { CompletionRequest } from "./calls/completions.ts";
import { EmbeddingRequest } from "./calls/embeddings.ts";
import { imageAReaders } from "./image-a/image-a.ts";
import { imageBDraft, ImageBRequest, imageBWays } from "./image-b/image-b-request.ts";
import { ImageFormQuote, ImageRequest } from "./calls/images.ts";
import { askedOf } from "./calls/json-call.ts";
import { checkedBody } from "./multipart.ts";
import { lyricsInput, LyricsRequest, MusicRequest, musicInput } from "./music/music-a.ts";
import { generationInput, GenerationRequest } from "./music/music-b.ts";
import { openAiVideoDraft, OpenAiVideoRequest, remixDraft, RemixRequest } from "./video/openai-video-request.ts";
import { mebibyte, operation, type Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { MessagesRequest, ModerationRequest, RerankRequest, ResponseRequest } from "./calls/text-dialects.ts";
import { videoBDraft, VideoBRequest } from "./video/video-b.ts";
import { relayedVideoDraft, RelayedVideoRequest } from "./video/video-generations.ts";
import { videoInput, VideoRequest } from "./video/video.ts";

type Asking = Ask<unknown, unknown, { path: string; body: unknown }>;

/** How each create is read; the path decides. */
const readers: { path: RegExp; read(ask: Asking, found: RegExpExecArray, services: Services): Promise<Draft> }[] = [
  {
    path: /^\/custom_video\/model\/([^/]+)$/,
    async read(ask, [, model = ""], services) {
      const input = videoInput(checkedBody(ask, VideoRequest, ask.body.body), services.checkUrl);
      return { kind: "video", dialect: "video", model: decoded(model), input };
    },
  },
  {
    path: /^\/(?:videoB|luma)\/generations(?:\/([^/]+)\/extend)?$/,
    read: (ask, [, id], services) => videoBDraft(checkedBody(ask, VideoBRequest, ask.body.body), ask.caller, services, id && decoded(id)),
  },
  {
    path: /^\/v1\/videos$/,
    read: (ask, _found, services) => openAiVideoDraft(checkedBody(ask, OpenAiVideoRequest, ask.body.body), ask.caller, services),
  },
  {
    path: /^\/v1\/videos\/([^/]+)\/remix$/,
    read: (ask, [, id = ""], services) => remixDraft(decoded(id), checkedBody(ask, RemixRequest, ask.body.body), ask.caller, services),
  },
  {
    path: /^\/v1\/video\/generations$/,
    read: (ask, _found, services) => relayedVideoDraft(checkedBody(ask, RelayedVideoRequest, ask.body.body), ask.caller, services),
  },
  {
    path: /^\/(?:imageA|mj|mj-(?:fast|relax|turbo)\/mj)(\/(?:submit|insight-face)\/[a-z-]+)$/,
    read(ask, [, way = ""], services) {
      const read = imageAReaders.get(way);
      if (read === undefined) throw notPriced();
      return read(ask, ask.body.body, services);
    },
  },
  {
    path: /^\/(?:imageB|ideogram)(\/v1\/ideogram-v3)?\/(generate|remix|upscale|describe|edit)$/,
    read(ask, [, newer, way], services) {
      const body = checkedBody(ask, ImageBRequest, ask.body.body);
      return imageBDraft(imageBWays.find((name) => name === way) ?? "generate", body, ask.caller, services, newer !== undefined);
    },
  },
  {
    path: /^\/(?:musicA|suno)\/submit\/music$/,
    async read(ask, _found, services) {
      const body = checkedBody(ask, MusicRequest, ask.body.body);
      return {
        kind: "music",
        dialect: "music-a",
        model: body.mv || "chirp-v3-0",
        input: await musicInput(body, ask.caller, services.tasks),
      };
    },
  },
  {
    path: /^\/(?:musicA|suno)\/submit\/lyrics$/,
    async read(ask) {
      const input = lyricsInput(checkedBody(ask, LyricsRequest, ask.body.body));
      return { kind: "lyrics", dialect: "music-a", model: "lyrics", input };
    },
  },
  {
    path: /^\/(?:musicB|udio)\/submit\/music$/,
    async read(ask, _found, services) {
      const { gen_params: params } = checkedBody(ask, GenerationRequest, ask.body.body);
      return {
        kind: "music",
        dialect: "music-b",
        model: params.model_type || "udio32-v1.5",
        input: await generationInput(params, ask.caller, services.tasks),
      };
    },
  },
];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Failure("invalid_request", { says: "'path' is not a valid path.", param: "path", cause });
  }
}

/** Calls whose cost follows from their fields; what they will use is not known yet, so that the most is told. */
const calls: Record<string, { operation: CallOperation; meter: Meter; schema: TSchema; usualModel?: string }> = {
  "/v1/completions": { operation: "completion", meter: completionMeter, schema: CompletionRequest },
  "/v1/chat/completions": { operation: "chat", meter: chatMeter, schema: ChatRequest },
  "/v1/responses": { operation: "responses", meter: responseMeter, schema: ResponseRequest },
  "/v1/messages": { operation: "messages", meter: messageMeter, schema: MessagesRequest },
  "/v1/embeddings": { operation: "embedding", meter: embeddingMeter, schema: EmbeddingRequest },
  "/v1/moderations": { operation: "moderation", meter: moderationMeter, schema: ModerationRequest, usualModel: "omni-moderation-latest" },
  "/v1/rerank": { operation: "rerank", meter: rerankMeter, schema: RerankRequest },
  "/v1/images/generations": { operation: "image", meter: imageMeter, schema: ImageRequest, usualModel: "dall-e" },
  "/v1/images/edits": { operation: "image-edit", meter: imageMeter, schema: ImageFormQuote, usualModel: "dall-e" },
  "/v1/images/variations": { operation: "image-variation", meter: imageMeter, schema: ImageFormQuote, usualModel: "dall-e" },
  "/v1/audio/speech": { operation: "speech", meter: speechMeter, schema: SpeechRequest, usualModel: "tts-1" },
};

function quoteOf(ask: Asking, services: Services): Promise<Quote> | Quote | null {
  const call = Object.hasOwn(calls, ask.body.path) ? calls[ask.body.path] : undefined;
  if (call !== undefined) {
    const { operation: name, meter, schema, usualModel } = call;
    checkedBody(ask, schema, ask.body.body);
    return services.calls.quote(ask.caller, askedOf(name, Object(ask.body.body), usualModel), meter);
  }
  for (const { path, read } of readers) {
    const found = path.exec(ask.body.path);
    if (found !== null) return read(ask, found, services).then((draft) => services.tasks.quote(ask.caller, draft));
  }
  return null;
}

const createQuote = operation({
  method: "POST",
  url: "/v1/quote",
  tag: "quote",
  summary: "Price a create without running it",
  errors: "plain",
  auth: "client",
  bodyLimit: 32 * mebibyte,
  body: Type.Object({
    path: Type.String({ maxLength: 500, description: "the path of the create, e.g. /musicA/submit/music" }),
    body: Type.Object({}, { additionalProperties: true, description: "the body of the create" }),
  }),
  reply: Type.Object({
    amount_usd: Type.Number(),
    currency: Type.Literal("usd"),
    unit: Type.String(),
    details: Type.Array(Type.Object({ unit: Type.String(), quantity: Type.Number(), unit_usd: Type.Number(), amount_usd: Type.Number() })),
  }),
  async run(ask, services) {
    const quote = await quoteOf(ask, services);
    if (quote !== null)
      return {
        amount_usd: usdFromNanos(quote.amountNanos),
        currency: "usd",
        unit: quote.details[0]?.unit ?? "free",
        details: quote.details.map(({ unit, quantity, unitNanos, amountNanos }) => ({
          unit,
          quantity,
          unit_usd: usdFromNanos(unitNanos),
          amount_usd: usdFromNanos(amountNanos),
        })),
      };
    throw notPriced();
  },
});

function notPriced(): Failure {
  return new Failure("invalid_request", {
    says: "'path' must be the path of a create, e.g. /musicA/submit/music, /custom_video/model/{model} or /v1/chat/completions.",
    param: "path",
  });
}

export const quoteOperations = [createQuote];
