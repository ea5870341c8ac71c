import { bare } from "./targets/bare.ts";
import { bifrost } from "./targets/bifrost.ts";
import { direct } from "./targets/direct.ts";
import { genway } from "./targets/genway.ts";
import { litellm } from "./targets/litellm.ts";
import { nginx } from "./targets/nginx.ts";
import { portkey } from "./targets/portkey.ts";
import type { Target } from "./target.ts";

/** Everything that can be measured, in the order of the table. */
export const targets: readonly Target[] = [direct, nginx, bare, genway, bifrost, portkey, litellm];
