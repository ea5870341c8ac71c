import { textOf } from "../dialect.ts";
import { charactersIn, piecesOf, soundOf } from "./speech.ts";
import { countTokens } from "./tokens.ts";
import { call, reject } from "./upstream.ts";
import type { CallIntent, CallNo, CallReply, CallRequest, CallUpstream, CallWork } from "./upstream.ts";

const shapes: Record<CallNo, { status: number; word: string }> = {
  auth: { status: 401, word: "invalid_api_key" },
  invalid: { status: 422, word: "invalid" },
  // Told apart from a wrong key by the word alone.
  quota: { status: 401, word: "quota_exceeded" },
  rate_limit: { status: 429, word: "too_many_concurrent_requests" },
  content_policy: { status: 403, word: "content_against_policy" },
  context: { status: 400, word: "max_character_limit_exceeded" },
  missing: { status: 404, word: "voice_not_found" },
  down: { status: 500, word: "system_busy" },
};

const voices = ["Lab Alto", "Lab Bass"].map((name, index) => ({
  voice_id: `labvoice${index + 1}`,
  name,
  category: "premade",
  labels: { language: "en" },
  preview_url: null,
}));

const models = [
  {
    model_id: "eleven-lab",
    name: "Eleven Lab",
    can_do_text_to_speech: true,
    max_characters_request_subscribed_user: 5_000,
    languages: [{ language_id: "en", name: "English" }],
  },
];

/** ElevenLabs' text to speech. */
export const elevenlabs: CallUpstream = {
  name: "elevenlabs",
  isOpen: false,
  key({ headers }) {
    const key = headers["xi-api-key"];
    return typeof key === "string" ? key : null;
  },
  read(request) {
    const { method, path } = request;
    if (method === "GET" && path === "/v1/models") return { do: "show", body: models };
    if (method === "GET" && path === "/v1/voices") return { do: "show", body: { voices } };
    const [, voice, stream] = /^\/v1\/text-to-speech\/([^/]+)(\/stream)?$/.exec(path) ?? [];
    return method === "POST" && voice !== undefined ? readSpeech(request, stream !== undefined) : null;
  },
  no({ reason, says, status, retrySeconds }) {
    const { status: usual, word } = shapes[reason];
    const code = status ?? usual;
    const detail = reason === "invalid" ? [{ loc: ["body", "text"], msg: says, type: "value_error" }] : { status: word, message: says };
    const hint: Record<string, string> =
      code >= 429 && retrySeconds !== undefined
        ? { "retry-after": String(retrySeconds), "current-concurrent-requests": "5", "maximum-concurrent-requests": "5" }
        : {};
    return { status: code, body: { detail }, headers: { "request-id": "lab", ...hint } };
  },
  error: (says) => ({ data: JSON.stringify({ detail: { status: "system_busy", message: says } }), words: 0 }),
};

function readSpeech({ body, query }: CallRequest, stream: boolean): CallIntent {
  const text = textOf(body, "text");
  const model = textOf(body, "model_id") || "eleven_multilingual_v2";
  const sound = soundIn(query.get("output_format") ?? "mp3_44100_128");
  if (text === "") return reject("Field required");
  if (text.length > 5_000) return reject("The text is longer than 5000 characters.", "context");
  if (!sound) return reject("Input should be a known output_format");
  const characters = charactersIn(text);
  const answer = ({ id }: CallWork): CallReply => {
    const headers = { "request-id": id, "character-cost": String(characters) };
    if (stream) return { form: "pieces", mime: sound.mime, pieces: piecesOf(sound.bytes), headers };
    return { form: "whole", mime: sound.mime, body: sound.bytes, words: 0, headers };
  };
  return call({ operation: "speech", model, prompt: text, promptTokens: countTokens(text), units: characters, stream, answer });
}

function soundIn(format: string) {
  const kind = /^(mp3|pcm|wav|opus|ulaw|alaw)_\d+(_\d+)?$/.exec(format)?.[1];
  if (kind === undefined) return null;
  if (kind === "ulaw" || kind === "alaw") return { bytes: new Uint8Array(4_000).fill(0x7f), mime: "audio/basic" };
  return soundOf(kind);
}
