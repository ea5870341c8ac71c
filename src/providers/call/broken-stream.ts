import { BrokenReply, type JsonObject } from "../../core/call.ts";
import { parseObject } from "../../dialects/json-reading.ts";
import { refusalInside } from "./failure.ts";
import { refuse } from "../job/failure.ts";
import { readText } from "../job/path.ts";

/** One JSON value of a stream; throws a BrokenReply for what is none, and for an error in its place. */
export function readStreamed(data: string): JsonObject {
  const value = parseObject(data);
  if (value === null) throw new BrokenReply(refuse("transient", "a part of the stream is not JSON"));
  if (value.error === undefined || value.error === null) return value;
  const code = readText(value, ["error.status", "error.type", "error.code"]);
  // Their message may repeat the key, which is not known here and could not be blotted out of the log.
  throw new BrokenReply(refuse(refusalInside(value, "").class, `an error inside the stream${code === undefined ? "" : `: ${code}`}`));
}

export function cutShort(): BrokenReply {
  return new BrokenReply(refuse("transient", "the stream ended before its time"));
}
