import { statfs } from "node:fs/promises";
import { checkText } from "../config/config.ts";
import { viewConfig } from "../config/config-view.ts";
import type { Variables } from "../config/source.ts";
import type { Breaker } from "../core/breaker.ts";
import { doorOf, type CallGate } from "../core/call-gate.ts";
import type { Operating } from "../http/operating.ts";
import { adapters } from "../providers/index.ts";
import type { Ground } from "./ground.ts";

type OperatingNeeds = {
  ground: Ground;
  breaker: Breaker;
  gate: CallGate;
  lastTickAt: () => number;
  /** What a configuration may refer to. */
  env?: Variables;
};

/** What only operators ask about: the configuration, what rests, and what everything stands on. */
export function createOperating({ ground, breaker, gate, lastTickAt, env = process.env }: OperatingNeeds): Operating {
  const { live, store, media, metrics, clock } = ground;
  const startedAt = clock();
  return {
    configuration: () => ({ ...viewConfig(live.config, adapters), loadedAt: live.loadedAt, refused: live.refused }),
    checkConfiguration: (text) => checkText(text, { env, file: live.config.file, adapters }),
    resting: breaker.resting,
    callsAt: (provider, credential) => gate.running(doorOf(provider, credential)),
    async system() {
      const { role, storeUrl, mediaTarget, dataDir } = live.config;
      const { bavail, blocks, bsize } = await statfs(dataDir);
      return {
        role,
        startedAt,
        store: { kind: storeUrl === null ? "sqlite" : "postgres", bytes: await store.size() },
        media: {
          kind: mediaTarget === null ? "disk" : "s3",
          freeBytes: mediaTarget === null ? await media.freeBytes().catch(() => null) : null,
        },
        lastTickAt: role === "gateway" ? null : lastTickAt(),
        eventLoop: await metrics.eventLoop(),
        disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
      };
    },
  };
}
