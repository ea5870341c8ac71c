import type { Probed, Work } from "../../core/provider.ts";
import type { Answered } from "../upstream/reply.ts";
import { fillAddress, fillTexts } from "./address.ts";
import { splitSend } from "./call.ts";
import type { Engine } from "./engine.ts";
import { classify, describe } from "./failure.ts";
import type { Send } from "./spec.ts";

type Asking = Pick<Work, "credential" | "signal">;

// Nobody has a job of this name.
const nobody = "00000000-0000-4000-8000-000000000000";

/** Asks about a job that there is not: that costs nothing, and needs the key; where it cannot be asked, whether anybody is there. */
export async function probeJobs(engine: Engine, work: Asking): Promise<Probed> {
  const { poll, auth, start } = engine.spec;
  const values = { id: nobody, model: "", keep: start.find(({ keep }) => keep)?.keep ?? {}, options: engine.options };
  const send = addressOf(poll?.send);
  const json = poll?.body === undefined ? undefined : fillTexts(poll.body, values);
  const canAsk = send !== null && json !== null && fillAddress(splitSend(send).template, values) !== null;
  const reply = canAsk ? await engine.call.poll({ send, values, body: { json } }, work) : await engine.call.look("/", work);
  if (reply.state !== "answered") return { ok: false, says: `It cannot be reached: ${reply.cause}.` };
  if (!canAsk) return reachable(reply);
  const { errors } = engine.spec;
  const why = classify(errors, reply.body, reply.status);
  const said = describe(errors, reply.body, reply.secrets, reply).slice(0, 300);
  if (why === "auth") return { ok: false, says: `The key was refused: ${said}` };
  const isMissing = reply.status === 404 || reply.status === 410;
  if ((why === "quota" || why === "transient") && !isMissing) return { ok: false, says: `It answered that something is wrong: ${said}` };
  const isOpen = auth === "none" || work.credential.secret === "";
  return { ok: true, says: isOpen ? "It answered, and wants no key." : "It answered, and the key was not refused." };
}

function addressOf(send: Send | { readonly [kind: string]: Send | undefined } | undefined): Send | null {
  if (send === undefined || typeof send === "string") return send ?? null;
  return Object.values(send).find((one) => one !== undefined) ?? null;
}

function reachable({ status }: Answered): Probed {
  return status >= 500
    ? { ok: false, says: `It answered that something is wrong: HTTP ${status}` }
    : { ok: true, says: "It is reachable. The key was not tried." };
}
