/** What tests of upstreams that answer at once are made with. */
import { createServer, type IncomingMessage } from "node:http";
import type { TestContext } from "node:test";
import type { Answer, Call, CallOperation, CallWork, JsonObject } from "../../core/call.ts";
import type { Adapter } from "../../core/provider.ts";
import type { Mint } from "../../dialects/mint.ts";

export const secret = "sk-test-0123456789abcdef";

export function workOf(change: Partial<CallWork> = {}): CallWork {
  return { signal: new AbortController().signal, credential: { id: "1", secret }, patienceMs: 2_000, ...change };
}

export function callOf(operation: CallOperation, body: JsonObject, change: Partial<Call> = {}): Call {
  const model = change.model ?? "upstream-model";
  return {
    operation,
    model,
    body: { model: "shown-model", ...body },
    json: Buffer.from(JSON.stringify({ ...body, model })),
    files: [],
    stream: body.stream === true,
    headers: {},
    ...change,
  };
}

/** Ids 1, 2, 3 … and one second of 2025. */
export function testMint(): Mint {
  let last = 0;
  return { id: () => String(++last), nowMs: () => 1_750_000_000_000 };
}

export type Sent = { url: string; headers: IncomingMessage["headers"]; text: string };

/** An upstream that answers exactly these bytes, and remembers what it was sent. */
export async function serve(
  context: TestContext,
  answer: (sent: Sent) => { status?: number; mime?: string; pieces: readonly (string | Uint8Array)[] },
): Promise<{ url: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { url: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString() };
    sent.push(one);
    const { status = 200, mime = "application/json", pieces } = answer(one);
    response.writeHead(status, { "content-type": mime });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, sent };
}

/** The answer of an adapter to a call, when its upstream lies at this address. */
export async function ask(adapter: Adapter, baseUrl: string, call: Call, work = workOf()): Promise<Answer> {
  const { calls } = adapter.create({ name: "test", baseUrl, allowPrivateNetwork: true });
  const answer = calls?.[call.operation];
  if (answer === undefined) throw new Error(`${adapter.type} does not offer ${call.operation}`);
  return answer(call, work);
}

export async function textOfStream(answer: Answer): Promise<string> {
  if (answer.state !== "stream") throw new Error(`the answer is ${JSON.stringify(answer)}`);
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.pieces) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The events of a stream in OpenAI's dialect; the mark of its end stays text. */
export function eventsIn(text: string): unknown[] {
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.replace(/^data: /, ""))
    .map((data): unknown => (data === "[DONE]" ? data : JSON.parse(data)));
}
