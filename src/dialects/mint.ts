import { uuidv7 } from "../kit/ids.ts";

/** Where a translated reply gets what the other dialect does not say: new ids and the time. */
export type Mint = { id(): string; nowMs(): number };

export const liveMint: Mint = { id: () => uuidv7().replaceAll("-", ""), nowMs: () => Date.now() };
