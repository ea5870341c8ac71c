export const storeNames = ["sqlite", "postgres"] as const;
export type StoreName = (typeof storeNames)[number];

/** The store that `GENWAY_TEST_STORE` names for this process; null where it names none: then a service has SQLite, and a suite of stores has both. */
export function chosenStore(): StoreName | null {
  const named = process.env["GENWAY_TEST_STORE"] || null;
  const store = storeNames.find((name) => name === named) ?? null;
  if (named !== null && store === null) throw new Error(`there is no store ${named}: it may be ${storeNames.join(" or ")}`);
  return store;
}
