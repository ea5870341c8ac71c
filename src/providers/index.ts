import type { Adapter } from "../core/provider.ts";
import { runway } from "./runway.ts";
import { sunoRelay } from "./suno-relay.ts";

/** Every adapter that a configuration may name as a provider's `type`. */
export const adapters: readonly Adapter[] = [runway, sunoRelay];
