import type { Call, CallFile, CallOperation, JsonObject } from "./call.ts";
import type { Asked } from "./meter.ts";

/** A call on its way to one upstream: the client's request with that upstream's name of the model. */
export class RoutedCall implements Call {
  readonly operation: CallOperation;
  readonly model: string;
  readonly body: JsonObject;
  readonly files: readonly CallFile[];
  readonly stream: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly #raw: Uint8Array | null;
  readonly #extras: JsonObject | null;
  readonly #asked: string;

  constructor({ operation, body, extras, files, stream, headers, raw, model: asked }: Asked, model: string) {
    this.operation = operation;
    this.model = model;
    this.body = extras === null ? body : { ...body, ...extras };
    this.#extras = extras;
    this.files = files;
    this.stream = stream;
    this.headers = headers;
    this.#raw = raw;
    this.#asked = asked;
  }

  get json(): Uint8Array {
    const spliced = this.#raw === null ? null : spliceModel(this.#raw, this.#asked, this.model);
    if (spliced === null) return Buffer.from(JSON.stringify({ ...this.body, model: this.model }));
    return this.#extras === null ? spliced : prefixed(spliced, this.#extras);
  }
}

// A JSON object with fields put before its own.
function prefixed(json: Uint8Array, fields: JsonObject): Uint8Array {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = text.indexOf("{") + 1;
  return Buffer.concat([Buffer.from(`${JSON.stringify(fields).slice(0, -1)},`), text.subarray(start)]);
}

const field = Buffer.from('"model"');

/** JSON text with another model name in it, without reading the rest; null where the text does not show plainly which name is meant. */
export function spliceModel(raw: Uint8Array, from: string, to: string): Uint8Array | null {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const at = text.indexOf(field);
  if (at < 0 || text.indexOf(field, at + field.length) >= 0) return null;
  if (from === to) return raw;
  let start = at + field.length;
  while (isSpace(text[start]) || text[start] === colon) start++;
  const name = Buffer.from(JSON.stringify(from));
  if (text.compare(name, 0, name.length, start, start + name.length) !== 0) return null;
  return Buffer.concat([text.subarray(0, start), Buffer.from(JSON.stringify(to)), text.subarray(start + name.length)]);
}

const colon = 0x3a;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
