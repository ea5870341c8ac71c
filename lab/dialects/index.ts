import type { Dialect } from "../dialect.ts";
import { runway } from "./runway.ts";
import { sunoRelay } from "./suno-relay.ts";

/** Every wire that the lab speaks. */
export const dialects: readonly Dialect[] = [runway, sunoRelay];
