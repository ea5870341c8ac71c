/** A process of the comparison that may be killed at any moment; it is told what to be, and says what it does. */
import { enableCompileCache } from "node:module";
import type { Say } from "./child-word.ts";
import type { GapOrder } from "./gap-child.ts";
import type { HoldOrder } from "./hold-child.ts";
import type { SlotOrder } from "./slot-child.ts";

export type Order = ({ role: "submit" | "end" } & GapOrder) | ({ role: "hold" } & HoldOrder) | ({ role: "slots" } & SlotOrder);

enableCompileCache();
// Whoever started us is gone.
process.once("disconnect", () => process.exit(0));
process.once("message", (order) => void obey(order as Order, (word) => void process.send?.(word)));

async function obey(order: Order, say: Say): Promise<void> {
  switch (order.role) {
    case "submit":
      return (await import("./gap-child.ts")).submitMany(order, say);
    case "end":
      return (await import("./gap-child.ts")).endMany(order, say);
    case "hold":
      return (await import("./hold-child.ts")).holdMany(order, say);
    case "slots":
      return (await import("./slot-child.ts")).workSlots(order, say);
  }
}
