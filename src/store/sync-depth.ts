import type { DatabaseSync } from "node:sqlite";

const mostDelayMs = 1_000;

export type SyncDepth = {
  /** Whether the next commit must be on the disk when it returns, or may follow within a second. */
  set(when: "now" | "soon"): void;
  close(): void;
};

/** Lets commits that may be a second late share the trip to the disk: a crash of the process loses none, a power failure at most that second. */
export function createSyncDepth(raw: DatabaseSync): SyncDepth {
  let full = true;
  let late: NodeJS.Timeout | null = null;
  let syncedAt = performance.now();

  function change(wanted: boolean): void {
    if (wanted === full) return;
    full = wanted;
    raw.exec(`pragma synchronous=${wanted ? "full" : "normal"}`);
  }

  function flush(): void {
    late = null;
    // Copying the log into the file first brings the log itself to the disk.
    raw.exec("pragma wal_checkpoint(passive)");
    syncedAt = performance.now();
  }

  return {
    set(when) {
      const now = performance.now();
      const due = when === "now" || now - syncedAt >= mostDelayMs;
      change(due);
      if (due) {
        syncedAt = now;
        if (late !== null) clearTimeout(late);
        late = null;
      } else late ??= setTimeout(flush, mostDelayMs);
    },
    close() {
      if (late !== null) clearTimeout(late);
    },
  };
}
