import type { StoreName } from "./store-choice.ts";

/** Test files that run one after the other on the same store; null leaves the choice to each suite. */
export type Pass = { title: string; store: StoreName | null; files: readonly string[] };

/** Suites that drive the service, which can be on either store; of calls those that come near the store. */
const driving = /^test\/(journeys\/|tasks\/|calls\/(failover|faults|leaving|money|stopping)\.)/;
/** Suites that open the stores themselves, each in turn. */
const opening = /^test\/(store\/|tasks\/store-races)/;

/** Every file on SQLite, then once more on PostgreSQL those for which that is another test; or one of the two, if that is asked for. */
export function planPasses(files: readonly string[], store: StoreName | null): Pass[] {
  const onPostgres = files.filter((file) =>
    store === "postgres" ? driving.test(file) || opening.test(file) : driving.test(file) && !opening.test(file),
  );
  const passes: Pass[] = [
    { title: "SQLite", store: store === "sqlite" ? store : null, files },
    { title: "PostgreSQL", store: "postgres", files: onPostgres },
  ];
  return passes.filter((pass) => pass.files.length > 0 && (store === null || store === pass.store));
}

/** Whether a pass needs a PostgreSQL that its files share. */
export function needsPostgres({ store, files }: Pass): boolean {
  return store === "postgres" || (store === null && files.some((file) => opening.test(file)));
}

/** On which store a file runs in a pass, in words; empty where it has to do with none. */
export function storeOf(file: string, { title, store }: Pass): string {
  if (opening.test(file)) return store === null ? " on SQLite and on PostgreSQL" : ` on ${title}`;
  return driving.test(file) ? ` on ${title}` : "";
}
