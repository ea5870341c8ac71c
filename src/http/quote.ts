import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Draft } from "../core/plan.ts";
import { checkedBody } from "./multipart.ts";
import { lyricsInput, LyricsRequest, MusicRequest, musicInput } from "./music-a.ts";
import { generationInput, GenerationRequest } from "./music-b.ts";
import { mebibyte, operation, type Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { videoInput, VideoRequest } from "./video.ts";

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
    for (const { path, read } of readers) {
      const found = path.exec(ask.body.path);
      if (found === null) continue;
      const { amountNanos, details } = services.tasks.quote(ask.caller, await read(ask, found, services));
      return {
        amount_usd: usdFromNanos(amountNanos),
        currency: "usd",
        unit: details[0]?.unit ?? "free",
        details: details.map(({ unit, quantity, unitNanos, amountNanos: nanos }) => ({
          unit,
          quantity,
          unit_usd: usdFromNanos(unitNanos),
          amount_usd: usdFromNanos(nanos),
        })),
      };
    }
    throw new Failure("invalid_request", {
      says: "'path' must be the path of a create, e.g. /musicA/submit/music or /custom_video/model/{model}.",
      param: "path",
    });
  },
});

export const quoteOperations = [createQuote];
