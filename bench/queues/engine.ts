import type { Engine, Kind, Place } from "./engine-port.ts";

/** Loads no engine but the one that is wanted: processes are started often. */
export async function openEngine(kind: Kind, place: Place): Promise<Engine> {
  switch (kind) {
    case "genway":
      return (await import("./genway-engine.ts")).openGenwayEngine(place);
    case "pg-boss":
      return (await import("./pg-boss-engine.ts")).openPgBossEngine(place, "retry");
    case "pg-boss-resend":
      return (await import("./pg-boss-engine.ts")).openPgBossEngine(place, "resend");
    case "bullmq":
      return (await import("./bullmq-engine.ts")).openBullmqEngine(place);
    case "bare":
      return (await import("./bare-engine.ts")).openBareEngine(place);
  }
}
