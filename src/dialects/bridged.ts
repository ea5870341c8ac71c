import type { Answer, AnswerCall, Call, JsonObject } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import type { Calls, Provider } from "../core/provider.ts";
import { refusalOfFailure } from "../core/refusal.ts";
import type { Bridge } from "./bridge.ts";
import { bridges } from "./bridges.ts";
import { isObject } from "./json-reading.ts";
import { translatePieces } from "./translate.ts";

/** The same provider, answering also what can be said in a dialect that it speaks. */
export function withBridges(provider: Provider): Provider {
  const { calls } = provider;
  if (calls === undefined) return provider;
  const more: { -readonly [O in keyof Calls]: AnswerCall } = { ...calls };
  for (const bridge of bridges) {
    const answer = calls[bridge.to];
    if (answer !== undefined) more[bridge.from] ??= bridged(answer, bridge);
  }
  return { ...provider, calls: more };
}

function bridged(answer: AnswerCall, bridge: Bridge): AnswerCall {
  return async (call, work) => {
    const asked = call.body;
    let body: JsonObject;
    try {
      // Some rules depend on which model is asked.
      body = bridge.request({ ...asked, model: call.model });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { state: "refused", refusal: refusalOfFailure(error) };
    }
    return back(await answer(callOf(call, bridge, body), work), bridge, asked);
  };
}

function callOf(call: Call, { to }: Bridge, body: JsonObject): Call {
  return {
    operation: to,
    model: call.model,
    body,
    get json() {
      return Buffer.from(JSON.stringify({ ...body, model: call.model }));
    },
    files: call.files,
    stream: call.stream,
    // Headers of one dialect mean nothing in another.
    headers: {},
  };
}

function back(answer: Answer, bridge: Bridge, asked: JsonObject): Answer {
  if (answer.state === "refused") return answer;
  if (answer.state === "stream")
    return { state: "stream", mime: "text/event-stream", pieces: translatePieces(answer.pieces, bridge.stream(asked), "events") };
  if (!isObject(answer.value)) return { state: "refused", refusal: { class: "transient", cause: "the answer is not a JSON object" } };
  const value = bridge.reply(answer.value, asked);
  return { state: "whole", mime: "application/json", body: Buffer.from(JSON.stringify(value)), value };
}
