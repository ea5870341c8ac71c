import type { AnswerCall } from "../../core/call.ts";
import type { Calls } from "../../core/provider.ts";
import { chatDialect } from "./chat.ts";
import { completionDialect } from "./completion.ts";
import { answerEmbedding } from "./embedding.ts";
import { refusalOf } from "./failure.ts";
import { answerImage } from "./image.ts";
import { answerModeration } from "./moderation.ts";
import { answerRerank } from "./rerank.ts";
import { answerSpeech } from "./speech.ts";
import { answerText } from "./text.ts";
import { answerTranscription } from "./transcription.ts";
import type { LocalAnswer, Workshop } from "./workshop.ts";

/** The calls that the built-in generators answer. */
export function createLocalCalls(workshop: Workshop): Calls {
  const calls: { [O in keyof Calls]: LocalAnswer } = {
    completion: (...given) => answerText(completionDialect, ...given),
    chat: (...given) => answerText(chatDialect, ...given),
    embedding: answerEmbedding,
    moderation: answerModeration,
    rerank: answerRerank,
    image: answerImage,
    "image-edit": answerImage,
    "image-variation": answerImage,
    speech: answerSpeech,
    transcription: answerTranscription,
    translation: answerTranscription,
  };
  return Object.fromEntries(Object.entries(calls).map(([operation, answer]) => [operation, refusing(workshop, answer)]));
}

function refusing(workshop: Workshop, answer: LocalAnswer): AnswerCall {
  return async (call, work) => {
    try {
      return await answer(workshop, call, work);
    } catch (error) {
      return { state: "refused", refusal: refusalOf(error, work.signal) };
    }
  };
}
