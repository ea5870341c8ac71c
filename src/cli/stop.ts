/** What hangs is cut off: everything accepted is on disk. */
const cutOffMs = 9_500;

/** Makes what ends this process well, with exit code 0, or 1 when that fails or takes too long; false when it has begun already. */
export function createStop(close: () => Promise<void>): () => boolean {
  let stopping = false;
  return () => {
    if (stopping) return false;
    stopping = true;
    setTimeout(() => process.exit(1), cutOffMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
    return true;
  };
}

export function stopWords(why: string): string {
  return `Stopping (${why}); what runs is finished or handed over.`;
}
