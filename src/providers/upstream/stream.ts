import type { Dispatcher } from "undici";
import { explain } from "./exchange.ts";

export type OpenRequest = {
  origin: string;
  path: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: Uint8Array | null;
  /** The longest wait for the head of the reply, and between two pieces of it. */
  patienceMs: number;
  signal: AbortSignal;
};

/** The reply as far as its head; the body is there to be read once, whole or in pieces. */
export type Opened =
  | { state: "open"; status: number; headers: ReplyHeaders; body: UpstreamBody }
  | { state: "not-sent" | "lost"; cause: string; timedOut: boolean };

export type ReplyHeaders = Record<string, string | string[] | undefined>;

const highWater = 256 * 1024;
const lowWater = 64 * 1024;

/** Sends one request once; resolves when the head of the reply is there, or when it is certain that none will come. Never throws. */
export function openExchange(dispatcher: Dispatcher, request: OpenRequest): Promise<Opened> {
  return new Promise((resolve) => {
    const { origin, path, method, headers, body, patienceMs } = request;
    const handler = new OpenHandler(request.signal, resolve);
    if (request.signal.aborted) return handler.fail(new Error("the work was stopped"));
    try {
      dispatcher.dispatch({ origin, path, method, headers, body, headersTimeout: patienceMs, bodyTimeout: patienceMs }, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

class OpenHandler implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (opened: Opened) => void;
  readonly #abort = () => this.stop(new Error("the work was stopped"));
  #controller: Dispatcher.DispatchController | null = null;
  #body: UpstreamBody | null = null;
  #over = false;

  constructor(signal: AbortSignal, resolve: (opened: Opened) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    signal.addEventListener("abort", this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second call would be the client's own repetition.
    if (this.#over || this.#controller !== null) controller.abort(new Error("the request is over"));
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    if (status < 200) return;
    this.#body = new UpstreamBody(controller, (error) => this.stop(error));
    this.#resolve({ state: "open", status, headers, body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish();
    this.#body?.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  stop(error: Error): void {
    const controller = this.#controller;
    this.fail(error);
    controller?.abort(error);
  }

  fail(error: unknown): void {
    if (this.#over) return;
    this.#finish();
    if (this.#body !== null) this.#body.end(error instanceof Error ? error : new Error(String(error)));
    else
      this.#resolve({
        state: this.#controller === null ? "not-sent" : "lost",
        cause: explain(error),
        timedOut: isTimeout(error),
      });
  }

  #finish(): void {
    this.#over = true;
    this.#signal.removeEventListener("abort", this.#abort);
  }
}

/** True for a reply that took longer than we were ready to wait. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /TIMEOUT/.test(error.code);
}

/** The bytes of a reply: kept back by the upstream's connection when nobody reads them. */
export class UpstreamBody implements AsyncIterable<Uint8Array> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #stop: (error: Error) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #error: Error | null = null;
  #paused = false;
  #wake: (() => void) | null = null;
  #most = Number.POSITIVE_INFINITY;

  constructor(controller: Dispatcher.DispatchController, stop: (error: Error) => void) {
    this.#controller = controller;
    this.#stop = stop;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#most === Number.POSITIVE_INFINITY) {
      if (this.#bytes > highWater && !this.#paused) this.#pause();
    } else if (this.#bytes > this.#most) {
      this.#stop(new Error(`the answer is larger than ${this.#most} bytes`));
      return;
    }
    // Whoever wants it whole is woken once, at the end.
    if (this.#most === Number.POSITIVE_INFINITY) this.#tell();
  }

  end(error: Error | null): void {
    this.#ended = true;
    this.#error = error;
    this.#tell();
  }

  /** All of it, when it is complete; throws when it breaks off or is larger than allowed. */
  async whole(mostBytes: number): Promise<Buffer> {
    this.#most = mostBytes;
    if (this.#paused) this.#resume();
    if (!this.#ended) await this.#change();
    if (this.#error !== null) throw this.#error;
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }

  /** Ends the exchange; what has not been read is lost. */
  discard(): void {
    if (!this.#ended) this.#stop(new Error("nobody reads the reply"));
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        if (chunks.length > 0) {
          this.#chunks = [];
          this.#bytes = 0;
          if (this.#paused) this.#resume();
          yield* chunks;
        } else if (this.#error !== null) throw this.#error;
        else if (this.#ended) return;
        else await this.#change();
      }
    } finally {
      this.discard();
    }
  }

  #pause(): void {
    this.#paused = true;
    this.#controller.pause();
  }

  #resume(): void {
    if (this.#bytes > lowWater) return;
    this.#paused = false;
    this.#controller.resume();
  }

  #tell(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
