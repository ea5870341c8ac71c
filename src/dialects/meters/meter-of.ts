import type { CallOperation } from "../../core/call.ts";
import type { Meter } from "../../core/meter.ts";
import { embeddingMeter, imageMeter, moderationMeter, rerankMeter, speechMeter, transcriptionMeter } from "./plain-meters.ts";
import { chatMeter, completionMeter, messageMeter, responseMeter } from "./text-meters.ts";

const meters: Record<CallOperation, Meter> = {
  completion: completionMeter,
  chat: chatMeter,
  responses: responseMeter,
  messages: messageMeter,
  embedding: embeddingMeter,
  moderation: moderationMeter,
  rerank: rerankMeter,
  image: imageMeter,
  "image-edit": imageMeter,
  "image-variation": imageMeter,
  speech: speechMeter,
  transcription: transcriptionMeter,
  translation: transcriptionMeter,
};

/** How the use of an operation is measured. */
export function meterOf(operation: CallOperation): Meter {
  return meters[operation];
}
