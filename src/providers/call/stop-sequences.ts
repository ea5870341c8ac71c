import type { JsonObject } from "../../core/call.ts";
import { invalid } from "../../dialects/request-fields.ts";

/** `stop` as a list; undefined where nothing is asked. */
export function stopsIn({ stop }: JsonObject): string[] | undefined {
  const given: readonly unknown[] = Array.isArray(stop) ? stop : stop === undefined || stop === null ? [] : [stop];
  const stops = given.map((item) => {
    if (typeof item === "string") return item;
    throw invalid("stop", "'stop' must be a text or a list of texts.");
  });
  return stops.length === 0 ? undefined : stops;
}
