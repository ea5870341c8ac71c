import { readText } from "../job/path.ts";
import type { Verifier } from "../job/spec.ts";
import { genuine } from "./hmac.ts";

/** Messages of MiniMax: the first one tries the address out and wants its own word back; later ones are not signed. */
export const minimaxChallenge: Verifier = ({ body }) => {
  const challenge = readText(parsed(body), "challenge");
  return challenge === undefined ? genuine : { state: "challenge", reply: { challenge } };
};

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
