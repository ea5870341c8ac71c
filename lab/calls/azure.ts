import { openaiError, openaiNo, readOpenai } from "./openai.ts";
import type { CallIntent, CallReply, CallRequest, CallUpstream, Frame } from "./upstream.ts";

const deploymentPath = /^\/openai\/deployments\/([^/]+)(\/.+)$/;

/** OpenAI's models as Azure hosts them: a deployment in the path, or the newer `/openai/v1`. */
export const azure: CallUpstream = {
  name: "azure",
  isOpen: false,
  key({ headers }) {
    const key = headers["api-key"];
    return typeof key === "string" ? key : null;
  },
  read(request) {
    if (request.path.startsWith("/openai/v1/")) return filtered(readOpenai(request, request.path.slice("/openai/v1".length)));
    const [, deployment, path] = deploymentPath.exec(request.path) ?? [];
    if (deployment === undefined || path === undefined || !request.query.get("api-version")) return null;
    return filtered(readOpenai(deployed(request, decodeURIComponent(deployment)), path));
  },
  no(refusal, request) {
    const reply = openaiNo(refusal);
    const { error } = reply.body;
    if (refusal.reason === "content_policy") {
      const innererror = { code: "ResponsibleAIPolicyViolation", content_filter_result: filterResult };
      return { ...reply, body: { error: { ...error, code: "content_filter", param: "prompt", status: 400, innererror } } };
    }
    if (refusal.reason === "missing" && deploymentPath.test(request.path))
      return { ...reply, body: { error: { code: "DeploymentNotFound", message: error.message } } };
    return { ...reply, body: { error: { ...error, code: error.code ?? String(reply.status) } } };
  },
  error: openaiError,
};

// The deployment stands for the model, whatever the body says.
function deployed(request: CallRequest, model: string): CallRequest {
  return { ...request, body: { ...Object(request.body), model } };
}

const filterResult = Object.fromEntries(
  ["hate", "self_harm", "sexual", "violence"].map((name) => [name, { filtered: false, severity: "safe" }]),
);

/** Streams of chats begin with a chunk about the prompt that has no choices. */
function filtered(intent: CallIntent | null): CallIntent | null {
  if (intent?.do !== "call" || intent.order.operation !== "chat" || !intent.order.stream) return intent;
  const { order } = intent;
  return { do: "call", order: { ...order, answer: (work) => withFilter(order.answer(work)) } };
}

function withFilter(reply: CallReply): CallReply {
  if (reply.form !== "frames") return reply;
  const first = {
    choices: [],
    created: 0,
    id: "",
    model: "",
    object: "",
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: filterResult }],
  };
  return { ...reply, frames: after({ data: JSON.stringify(first), words: 0 }, reply.frames) };
}

function* after(first: Frame, frames: Iterable<Frame>): Generator<Frame> {
  yield first;
  yield* frames;
}
