import { bearerOf, fieldOf, textOf } from "../dialect.ts";
import { conversationOf } from "./conversation.ts";
import type { Message } from "./conversation.ts";
import { chatLogprob } from "./logprobs.ts";
import { countOf, toolsOf } from "./openai-shape.ts";
import { say } from "./saying.ts";
import type { Limits, Saying } from "./saying.ts";
import { textInputs } from "./text-inputs.ts";
import { countMessages, countTokens, encode } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallNo, CallReply, CallRequest, CallUpstream, CallWork, Frame } from "./upstream.ts";
import { usualDimensions, vectorOf } from "./vector.ts";

const statuses: Record<CallNo, number> = {
  auth: 401,
  invalid: 400,
  quota: 402,
  rate_limit: 429,
  content_policy: 400,
  context: 400,
  missing: 404,
  down: 500,
};

const details = { format: "gguf", family: "llama", families: ["llama"], parameter_size: "1B", quantization_level: "Q4_0" };
const tags = ["ollama-lab"].map((name) => ({
  name,
  model: name,
  modified_at: "2026-01-01T00:00:00Z",
  size: 1_000,
  digest: "lab",
  details,
}));

/** Ollama's own wire: one JSON value a line, streamed unless told otherwise, and no key. */
export const ollama: CallUpstream = {
  name: "ollama",
  isOpen: true,
  key: bearerOf,
  read(request) {
    const { method, path } = request;
    if (method === "GET" && path === "/api/tags") return { do: "show", body: { models: tags } };
    if (method === "GET" && path === "/api/version") return { do: "show", body: { version: "0.0.0-lab" } };
    if (method !== "POST") return null;
    if (path === "/api/chat") return readChat(request);
    if (path === "/api/generate") return readGenerate(request);
    return path === "/api/embed" ? readEmbed(request) : null;
  },
  no: ({ reason, says, status, retrySeconds }) => ({
    status: status ?? statuses[reason],
    body: { error: says },
    ...(retrySeconds !== undefined && (status ?? statuses[reason]) >= 429 && { headers: { "retry-after": String(retrySeconds) } }),
  }),
  error: (says) => ({ data: JSON.stringify({ error: says }), words: 0 }),
};

/** How one of the two routes speaks: what stands in each line, and what more in the last. */
type Voice = {
  model: string;
  body: unknown;
  promptTokens: number;
  piece(text: string): object;
  called(saying: Saying): object;
  end: object;
};

function readChat({ body }: CallRequest): CallIntent {
  const list = fieldOf(body, "messages");
  if (textOf(body, "model") === "") return reject("model is required");
  const conversation = conversationOf(Array.isArray(list) ? list.map(messageOf) : []);
  const promptTokens = countMessages(conversation.messages);
  const voice: Voice = {
    model: textOf(body, "model"),
    body,
    promptTokens,
    piece: (content) => ({ message: { role: "assistant", content } }),
    called: ({ tool }) => ({
      message: { role: "assistant", content: "", tool_calls: [{ function: { name: tool?.name, arguments: tool?.input } }] },
    }),
    end: {},
  };
  const tools = conversation.isAnswered ? [] : toolsOf(body);
  return spoken("chat", conversation.prompt, voice, { images: conversation.images, tools });
}

function messageOf(value: unknown): Message {
  const images = fieldOf(value, "images");
  const role = textOf(value, "role");
  const content = textOf(value, "content");
  return { role, texts: content === "" ? [] : [content], images: Array.isArray(images) ? images.length : 0, hasResult: role === "tool" };
}

function readGenerate({ body }: CallRequest): CallIntent {
  const prompt = textOf(body, "prompt");
  const images = fieldOf(body, "images");
  if (textOf(body, "model") === "") return reject("model is required");
  const voice: Voice = {
    model: textOf(body, "model"),
    body,
    promptTokens: countTokens(prompt) + countTokens(textOf(body, "system")),
    piece: (response) => ({ response }),
    called: () => ({}),
    end: { context: encode(prompt.slice(0, 200)) },
  };
  return spoken("completion", prompt, voice, { images: Array.isArray(images) ? images.length : 0 });
}

function spoken(operation: string, prompt: string, voice: Voice, limits: Limits): CallIntent {
  const { body, model, promptTokens } = voice;
  const options = fieldOf(body, "options");
  const stream = fieldOf(body, "stream") !== false;
  const answer = (work: CallWork): CallReply => {
    const saying = say({ max: fieldOf(options, "num_predict"), stops: fieldOf(options, "stop"), ...limits }, work.plan);
    if (stream) return { form: "frames", wire: "lines", frames: framesOf(voice, saying, work) };
    const said = saying.tool ? voice.called(saying) : voice.piece(saying.text());
    return jsonReply(
      { ...headOf(voice, work), ...said, ...endOf(voice, saying, work), ...logprobsOf(body, saying, 0, saying.words) },
      saying.tokens,
    );
  };
  return call({ operation, model, prompt, promptTokens, stream, answer });
}

function headOf({ model }: Voice, { nowMs }: CallWork) {
  return { model, created_at: new Date(nowMs).toISOString() };
}

function endOf({ promptTokens, end }: Voice, { tokens, finish }: Saying, { plan }: CallWork) {
  const told = { prompt_eval_count: promptTokens, prompt_eval_duration: 1_000_000, eval_count: tokens, eval_duration: tokens * 1_000_000 };
  return {
    done_reason: finish === "length" ? "length" : "stop",
    done: true,
    ...end,
    total_duration: (tokens + 2) * 1_000_000,
    load_duration: 1_000_000,
    ...(plan.usage !== "never" && told),
  };
}

function logprobsOf(body: unknown, saying: Saying, from: number, to: number) {
  if (fieldOf(body, "logprobs") !== true) return {};
  const top = countOf(body, "top_logprobs", 0);
  return { logprobs: Array.from({ length: to - from }, (_, step) => chatLogprob(from + step, saying.word(from + step), top)) };
}

function* framesOf(voice: Voice, saying: Saying, work: CallWork): Generator<Frame> {
  const head = headOf(voice, work);
  const line = (fields: object, words: number): Frame => ({ data: JSON.stringify({ ...head, ...fields }), words });
  for (let at = 0; at < saying.words; at++)
    yield line({ ...voice.piece(saying.word(at)), done: false, ...logprobsOf(voice.body, saying, at, at + 1) }, 1);
  if (saying.tool) yield line({ ...voice.called(saying), done: false }, saying.tokens);
  yield line({ ...voice.piece(""), ...endOf(voice, saying, work) }, 0);
}

function readEmbed({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const inputs = textInputs(fieldOf(body, "input"));
  if (model === "" || !inputs) return reject("invalid input type");
  const promptTokens = inputs.reduce((sum, { tokens }) => sum + tokens, 0);
  const answer = ({ plan }: CallWork) =>
    jsonReply({
      model,
      embeddings: inputs.map(({ text }) => Array.from(vectorOf(text, countOf(body, "dimensions", usualDimensions)))),
      total_duration: 2_000_000,
      load_duration: 1_000_000,
      ...(plan.usage !== "never" && { prompt_eval_count: promptTokens }),
    });
  return call({ operation: "embedding", model, prompt: inputs.map(({ text }) => text).join("\n"), promptTokens, stream: false, answer });
}
