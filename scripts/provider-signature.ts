import { bfl } from "../src/providers/callbacks/bfl.ts";
import { falEd25519 } from "../src/providers/callbacks/fal-ed25519.ts";
import { kie } from "../src/providers/callbacks/kie.ts";
import { minimaxChallenge } from "../src/providers/callbacks/minimax-challenge.ts";
import { openRouterOrStandard } from "../src/providers/callbacks/openrouter-or-standard.ts";
import { sharedSecret } from "../src/providers/callbacks/shared-secret.ts";
import { standardWebhooks } from "../src/providers/callbacks/standard-webhooks.ts";
import { unsigned } from "../src/providers/callbacks/unsigned.ts";
import { vidu } from "../src/providers/callbacks/vidu.ts";
import type { Verifier } from "../src/providers/job/spec.ts";

const nothing = "Nothing else is to be set up.";
const secret = "Make a secret for messages at the upstream, and give it as `webhook_secret`.";
const without = "Without it the unguessable address must do.";

const signatures = new Map<Verifier, string>([
  [unsigned, `Messages are not signed: the unguessable address must do. ${nothing}`],
  [bfl, `Messages are signed (HMAC-SHA256) with a secret that each job carries. ${nothing}`],
  [
    falEd25519,
    `Messages are signed (Ed25519) with keys that the upstream publishes; Genway fetches them and keeps them for a day. ${nothing}`,
  ],
  [standardWebhooks, `Messages are signed after Standard Webhooks. ${secret} ${without}`],
  [
    openRouterOrStandard,
    `Only upstreams that take the address as \`callback_url\` are told it: set \`options: { callbacks: callback_url }\`. Messages are signed as OpenRouter signs them, or after Standard Webhooks. ${secret} ${without}`,
  ],
  [kie, `Messages are signed (HMAC-SHA256 over the job's id and the time). ${secret} ${without}`],
  [
    minimaxChallenge,
    `The first message tries the address out, and is answered with the word that it asks for. Messages are not signed. ${nothing}`,
  ],
  [sharedSecret, `Messages repeat a secret that each job carries; a wrong one is refused, a missing one is not. ${nothing}`],
  [vidu, `Messages are signed (HMAC-SHA256) with your API key, over the address, the time and a number that counts once. ${nothing}`],
]);

/** How an upstream's messages show that they are genuine, and what an operator must do for it. */
export function signatureOf(hears: Verifier): string {
  const says = signatures.get(hears);
  if (says === undefined) throw new Error("this way of signing messages has no sentence in scripts/provider-signature.ts");
  return says;
}
