import type { CallOperation, JsonObject } from "../../core/call.ts";
import type { Whole } from "../../core/meter.ts";
import type { Measured } from "../../core/pricing.ts";
import { isObject } from "../json-reading.ts";
import { costText, spelledUse } from "./spelled-use.ts";

const quote = 0x22;
const usageField = Buffer.from('"usage"');

/** The reply as the client reads it: with its cost beside the use, under the name of the model that the client knows. */
export function showReply(
  operation: CallOperation,
  { mime, body, value }: Whole,
  measured: Measured,
  costUsd: number,
  alias: string | null,
): { mime: string; body: Uint8Array } {
  if (!isObject(value) || !mime.startsWith("application/json")) return { mime, body };
  const shown = `${mime.split(";")[0]}; charset=utf-8`;
  const renamed = alias !== null && typeof value["model"] === "string" && value["model"] !== alias;
  const isPlain = !renamed && !measured.estimated && isObject(value["usage"]) && !lacks(operation, value);
  const spliced = isPlain ? spliceCost(body, costUsd) : null;
  if (spliced !== null) return { mime: shown, body: spliced };
  const usage = spelledUse(operation, value["usage"], measured, costUsd);
  const filled: JsonObject = {
    ...value,
    ...(renamed && { model: alias }),
    ...(operation === "completion" && { system_fingerprint: fingerprintOf(value) }),
    ...(usage !== null && { usage }),
  };
  return { mime: shown, body: Buffer.from(JSON.stringify(filled)) };
}

function lacks(operation: CallOperation, value: JsonObject): boolean {
  return operation === "completion" && typeof value["system_fingerprint"] !== "string";
}

function fingerprintOf(value: JsonObject): string {
  const given = value["system_fingerprint"];
  return typeof given === "string" ? given : "fp_none";
}

// Where the bytes have one "usage" only, the cost goes in without reading the rest again.
function spliceCost(body: Uint8Array, costUsd: number): Buffer | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = text.indexOf(usageField);
  if (at < 0 || text.indexOf(usageField, at + usageField.length) >= 0) return null;
  const open = text.indexOf("{", at);
  // An object without any field would need no comma; no upstream sends one.
  if (open < 0 || text[open + 1] !== quote) return null;
  const cost = `"cost":${costText(costUsd)},`;
  const out = Buffer.allocUnsafe(text.length + cost.length);
  text.copy(out, 0, 0, open + 1);
  out.write(cost, open + 1, "latin1");
  text.copy(out, open + 1 + cost.length, open + 1);
  return out;
}
