import type { Verifier } from "../job/spec.ts";
import { openRouter } from "./openrouter.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

/** Messages about videos of OpenAI's wire: OpenRouter signs in a header of its own, others after Standard Webhooks. */
export const openRouterOrStandard: Verifier = (message, keys) =>
  (message.headers["x-openrouter-signature"] === undefined ? standardWebhooks : openRouter)(message, keys);
