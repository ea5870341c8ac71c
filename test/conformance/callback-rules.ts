import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState, LabCallback } from "../../lab/dialect.ts";
import { dialects } from "../../lab/dialects/index.ts";
import { forge } from "../../lab/forgery.ts";
import type { CallbackMessage, Heard } from "../../src/core/provider.ts";
import { startServer } from "./local-server.ts";
import type { LocalServer, SeenRequest } from "./local-server.ts";
import { accepted, jobOf, viewIn } from "./provider-probe.ts";
import type { Probe } from "./provider-probe.ts";

const jobSecret = "callback-secret-0123456789";
const dayMs = 86_400_000;

/** What must hold of the messages by which an upstream tells that a job has changed. */
export function testCallbacks(probe: Probe): void {
  const { dialect } = probe;

  test("callbacks are heard where the upstream has them", () => {
    // One adapter may speak with upstreams that tell and with others that do not.
    const tells = [dialect, ...dialects].some(
      ({ type, adapter = type, callback }) => adapter === probe.adapter.type && callback !== undefined,
    );
    assert.equal(probe.provider().hear !== undefined, tells);
  });
  if (!dialect.callback) return;

  test("the changes of a job come to the address that was sent along and are genuine", async (context) => {
    const { heard, receiver } = await listen(probe);
    context.after(receiver.close);
    await carryThrough(probe, `${receiver.url}/callbacks/token-123`, "told");
    const [first, ...rest] = heard;
    assert.equal(first, dialect.challenge ? "challenge" : "genuine");
    assert.ok(rest.every((state) => state === "genuine"));
    assert.equal(
      probe
        .lab()
        .callbacks()
        .findLast(({ prompt }) => prompt.includes("told"))?.state,
      "done",
    );
  });

  test("messages that come in another order are genuine, and what was altered or is old is not", async (context) => {
    const { receiver } = await listen(probe, (place) => dialect.challenge !== undefined && place === 0);
    context.after(receiver.close);
    await carryThrough(probe, `${receiver.url}/callbacks/token-456`, "altered");
    const messages = receiver.seen.slice(dialect.challenge ? 1 : 0).toReversed();
    for (const one of messages) assert.equal(await judge(probe, one), "genuine");
    // Some schemes take a message once, others again and again, which does no harm.
    for (const one of messages) assert.match(await judge(probe, one), /^(genuine|forged)$/);
    const [message = assert.fail("nothing was told")] = messages;
    const { signature, body, time } = whatCounts(probe, new URL(message.path, receiver.url));
    if (body) assert.equal(await judge(probe, { ...message, body: `${message.body} ` }), "forged");
    if (time) for (const later of [dayMs, -dayMs]) assert.equal(await judge(probe, message, later), "forged");
    if (signature) assert.equal(await judge(probe, forgedOf(message, receiver)), "forged");
  });
}

/** Starts a job that wants to be told, and lets it go through all its states. */
async function carryThrough({ sample, provider, work, lab, pass, jobsWith }: Probe, url: string, mark: string): Promise<void> {
  const started = await provider().start({ ...jobOf(sample, mark), callback: { url, secret: jobSecret } }, work());
  accepted(started, sample);
  assert.equal(jobsWith(mark)[0]?.callbackUrl?.startsWith(url), true, "the upstream was given the address");
  await lab().sendCallbacks();
  for (const seconds of [60, 60]) {
    pass(seconds);
    await lab().sendCallbacks();
  }
}

/** A receiver that judges the messages that the test wants judged on arrival. */
async function listen(
  probe: Probe,
  judges: (place: number) => boolean = () => true,
): Promise<{ heard: Heard["state"][]; receiver: LocalServer }> {
  const heard: Heard["state"][] = [];
  let place = 0;
  const receiver = await startServer(async (request) => {
    if (!judges(place++)) return { status: 200 };
    const judged = await hear(probe, request);
    heard.push(judged.state);
    if (judged.state === "forged") return { status: 401, body: judged };
    return judged.state === "challenge" ? { status: 200, body: judged.reply } : { status: 200 };
  });
  return { heard, receiver };
}

function hear({ provider, work, now }: Probe, { body, ...request }: SeenRequest, laterMs = 0): Promise<Heard> {
  const message: CallbackMessage = { ...request, body: Buffer.from(body), now: now() + laterMs };
  const one = provider();
  return one.hear?.(message, { job: jobSecret, credential: work().credential.secret }) ?? assert.fail("callbacks are not heard");
}

async function judge(probe: Probe, request: SeenRequest, laterMs = 0): Promise<Heard["state"]> {
  return (await hear(probe, request, laterMs)).state;
}

/** What the upstream's signature covers, as its own messages show: whether their headers follow the body, and the time. */
function whatCounts(probe: Probe, url: URL): { signature: boolean; body: boolean; time: boolean } {
  const { dialect, work, now } = probe;
  const headersOf = (state: JobState, nowMs: number) => {
    const given = { url, key: work().credential.secret, secret: jobSecret, nowMs, id: "msg_1" };
    return dialect.callback?.(viewIn(probe, state), given)?.headers ?? {};
  };
  const plain = headersOf("done", now());
  const differs = (other: Record<string, string>) => JSON.stringify(other) !== JSON.stringify(plain);
  return {
    signature: forge(url, { headers: plain, body: "" }).url.href === url.href,
    body: differs(headersOf("failed", now())),
    time: differs(headersOf("done", now() + 60_000)),
  };
}

function forgedOf(request: SeenRequest, { url }: LocalServer): SeenRequest {
  const known = Object.entries(request.headers).filter((header): header is [string, string] => header[1] !== undefined);
  const message: LabCallback = { headers: Object.fromEntries(known), body: request.body };
  return { ...request, headers: forge(new URL(request.path, url), message).message.headers };
}
