import { BrokenReply, type Answer, type Call, type CallWork, type JsonObject } from "../../core/call.ts";
import { sseText } from "../../dialects/sse-events.ts";
import { hashText } from "../../engines/chance.ts";
import type { TextPiece, TextResult } from "../../engines/job.ts";
import { replyHead, usageOf } from "../call/chat-reply.ts";
import { refusalOf } from "./failure.ts";
import { Mailbox } from "./mailbox.ts";
import type { TextWish } from "./sampling.ts";
import { eventStream, inFolder, wholeJson, type Workshop } from "./workshop.ts";

type Choice = TextResult["choices"][number];

/** How a client asks for text and is told it. */
export type TextDialect = {
  idPrefix: string;
  object: { whole: string; chunk: string };
  read(call: Call): TextWish;
  /** A whole choice. */
  choice(index: number, choice: Choice): JsonObject;
  /** A choice as it grows, in the chunks of a stream. */
  grow(index: number): { opening: JsonObject | null; more(piece: TextPiece): JsonObject; ending(finish: Choice["finish"]): JsonObject };
};

/** Lets the language model write, and tells the text whole or as it comes. */
export function answerText(dialect: TextDialect, workshop: Workshop, call: Call, work: CallWork): Promise<Answer> {
  const wish = dialect.read(call);
  const modelPath = workshop.modelPath();
  const write: Write = (signal, onPiece) =>
    inFolder(workshop, (outDir) =>
      workshop.engines.run(
        { engine: "text", outDir, cacheDir: workshop.cacheDir, ...(modelPath !== null && { modelPath }), ...wish },
        { signal, onPiece },
      ),
    );
  const object = call.stream ? dialect.object.chunk : dialect.object.whole;
  const head = { ...replyHead(call, object, dialect.idPrefix, workshop.mint), system_fingerprint: fingerprintOf(modelPath) };
  return call.stream ? answerPieces(dialect, write, head, work) : answerWhole(dialect, write, head, work);
}

type Write = (signal: AbortSignal, onPiece: (piece: TextPiece) => void) => Promise<TextResult>;

// A stream tells it before the model is open, so it follows from the file that is asked for.
function fingerprintOf(modelPath: string | null): string {
  return `fp_${hashText(modelPath ?? "built-in")
    .toString(16)
    .padStart(8, "0")}`;
}

async function answerWhole(dialect: TextDialect, write: Write, head: JsonObject, { signal }: CallWork): Promise<Answer> {
  const result = await write(signal, () => {});
  return wholeJson({ ...head, choices: result.choices.map((choice, index) => dialect.choice(index, choice)), usage: useOf(result) });
}

async function answerPieces(dialect: TextDialect, write: Write, head: JsonObject, { signal }: CallWork): Promise<Answer> {
  const leave = new AbortController();
  const pieces = new Mailbox<TextPiece>();
  const written = write(AbortSignal.any([signal, leave.signal]), (piece) => pieces.put(piece));
  const close = (): void => pieces.close();
  written.then(close, close);
  await pieces.opened;
  // What fails before its first word is refused, not broken off.
  if (pieces.isEmpty) await written;
  return { state: "stream", mime: eventStream, pieces: tell(new Chunks(dialect, head), pieces, written, signal, leave) };
}

async function* tell(
  chunks: Chunks,
  pieces: AsyncIterable<TextPiece[]>,
  written: Promise<TextResult>,
  signal: AbortSignal,
  leave: AbortController,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const some of pieces) yield Buffer.from(some.map((piece) => chunks.more(piece)).join(""));
    yield Buffer.from(chunks.end(await written));
  } catch (error) {
    throw new BrokenReply(refusalOf(error, signal));
  } finally {
    leave.abort();
  }
}

class Chunks {
  readonly #dialect: TextDialect;
  readonly #head: JsonObject;
  readonly #choices = new Map<number, ReturnType<TextDialect["grow"]>>();

  constructor(dialect: TextDialect, head: JsonObject) {
    this.#dialect = dialect;
    this.#head = head;
  }

  more(piece: TextPiece): string {
    return this.#begin(piece.choice) + this.#chunk(this.#grown(piece.choice).more(piece));
  }

  end(result: TextResult): string {
    const endings = result.choices.map(({ finish }, index) => this.#begin(index) + this.#chunk(this.#grown(index).ending(finish)));
    return endings.join("") + sseText({ ...this.#head, choices: [], usage: useOf(result) }) + sseText("[DONE]");
  }

  #begin(index: number): string {
    if (this.#choices.has(index)) return "";
    const { opening } = this.#grown(index);
    return opening === null ? "" : this.#chunk(opening);
  }

  #grown(index: number): ReturnType<TextDialect["grow"]> {
    const known = this.#choices.get(index) ?? this.#dialect.grow(index);
    this.#choices.set(index, known);
    return known;
  }

  #chunk(choice: JsonObject): string {
    return sseText({ ...this.#head, choices: [choice] });
  }
}

function useOf({ promptTokens, completionTokens }: TextResult): JsonObject {
  return usageOf({ prompt: promptTokens, completion: completionTokens });
}
