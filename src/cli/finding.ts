/** What a check found: `note` is worth knowing, `wrong` needs to be mended. */
export type Finding = { verdict: "ok" | "note" | "wrong"; what: string; says: string };
