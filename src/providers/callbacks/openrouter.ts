import { createTimedVerifier } from "./timed-signature.ts";

/** Messages of OpenRouter about videos; that the sign between time and body is a comma is known from one source alone. */
export const openRouter = createTimedVerifier({ header: "x-openrouter-signature", version: "v1", between: ",", windowSeconds: 300 });
