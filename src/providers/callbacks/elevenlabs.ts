import { createTimedVerifier } from "./timed-signature.ts";

/** Messages of ElevenLabs: a time and a signature in one header, good for half an hour. */
export const elevenLabs = createTimedVerifier({ header: "elevenlabs-signature", version: "v0", between: ".", windowSeconds: 1_800 });
