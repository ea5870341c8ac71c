import { isUtf8 } from "node:buffer";
import type { LlamaModel, Token } from "node-llama-cpp";

/** How the tokens of a model are written, byte by byte: a token may be half a character. */
export type Spelling = {
  /** Marks that steer the model are written as nothing. `startsText` leaves out the space that some models put before a first word. */
  spell(token: Token, startsText?: boolean): Buffer;
};

const space = 0x20;
const byteName = /^<0x([0-9A-F]{2})>$/;

export function createSpelling(model: LlamaModel): Spelling {
  const ggml = model.fileInfo.metadata.tokenizer.ggml;
  const kind: string = model.vocabularyType;
  const isPieces = kind === "spm" || kind === "ugm";
  const leadsWithSpace = isPieces && ggml.add_space_prefix !== false;

  function write(token: Token): Buffer {
    const attributes = model.getTokenAttributes(token);
    const name = ggml.tokens[token];
    if (name === undefined || attributes.control || attributes.unknown || attributes.unused) return Buffer.alloc(0);
    if (attributes.userDefined) return Buffer.from(name);
    if (isPieces) return writePiece(name, attributes.byte);
    if (kind === "bpe") return writeStandIns(name);
    return Buffer.from(model.detokenize([token]));
  }

  return {
    spell(token, startsText = false) {
      const bytes = write(token);
      return startsText && leadsWithSpace && bytes[0] === space ? bytes.subarray(1) : bytes;
    },
  };
}

/** A token for people; one that is no text by itself is told as its bytes. */
export function readable(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return `bytes:${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}`;
}

function writePiece(name: string, isByte: boolean): Buffer {
  const hex = isByte ? byteName.exec(name)?.[1] : undefined;
  return hex === undefined ? Buffer.from(name.replaceAll("\u2581", " ")) : Buffer.of(Number.parseInt(hex, 16));
}

// Vocabularies of this kind write every byte as a printable character: the printable ones as themselves, the others by stand-ins.
const standIns: ReadonlyMap<string, number> = listStandIns();

function writeStandIns(name: string): Buffer {
  return Buffer.concat(Array.from(name, (character) => Buffer.of(standIns.get(character) ?? 0)));
}

function listStandIns(): Map<string, number> {
  const isPrintable = (byte: number): boolean => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const table = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) table.set(String.fromCharCode(isPrintable(byte) ? byte : next++), byte);
  return table;
}
