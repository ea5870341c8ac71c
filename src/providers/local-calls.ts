import type { AnswerCall } from "../core/call.ts";
import type { Calls } from "../core/provider.ts";
import { chatDialect } from "./local-chat.ts";
import { completionDialect } from "./local-completion.ts";
import { answerEmbedding } from "./local-embedding.ts";
import { refusalOf } from "./local-failure.ts";
import { answerImage } from "./local-image.ts";
import { answerModeration } from "./local-moderation.ts";
import { answerRerank } from "./local-rerank.ts";
import { answerSpeech } from "./local-speech.ts";
import { answerText } from "./local-text.ts";
import { answerTranscription } from "./local-transcription.ts";
import type { LocalAnswer, Workshop } from "./local-workshop.ts";

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
