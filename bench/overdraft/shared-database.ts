import { migrate } from "../../src/store/migrate.ts";
import { newsText, type NewsText } from "../../src/store/news.ts";
import { openDatabase } from "../../src/store/node-sqlite.ts";
import { noNews, type Tx, type Verb } from "../../src/store/query.ts";
import { verbs, type VerbName } from "../../src/store/verbs.ts";

export type Verbs = typeof verbs;

/** One database for all nodes, in memory: the store's own verbs, one transaction at a time, as locks on accounts would order them. */
export type SharedDatabase = {
  commit(verb: VerbName, items: unknown[], again: boolean): Promise<{ replies: unknown[]; news: NewsText }>;
  /** Rows as they are now. */
  ask(text: string, ...values: (string | number)[]): Record<string, unknown>[];
  /** Forgets everything. */
  clear(): void;
  close(): Promise<void>;
};

const tables = ["account", "api_key", "task", "step", "share", "entry", "transfer", "usage", "lease"];

/** `faulty` stands in for verbs of the store, to see whether that is noticed. */
export async function openSharedDatabase(faulty: Partial<Verbs> = {}): Promise<SharedDatabase> {
  const { raw, db } = openDatabase(":memory:", "write");
  await migrate(db, "sqlite", () => undefined);
  // One database serves run after run: what the ledger keeps for ever is wiped in between.
  const keepers = raw.prepare("select name from sqlite_master where type = 'trigger'").all();
  for (const { name } of keepers) raw.exec(`drop trigger "${String(name)}"`);
  const statements = new Map<string, ReturnType<typeof raw.prepare>>();
  const used: Verbs = { ...verbs, ...faulty };

  function prepare(text: string) {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = raw.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  return {
    async commit(verb, items, again) {
      const tx: Tx = { db, dialect: "sqlite", news: noNews(), again };
      raw.exec("begin immediate");
      try {
        const replies = await (used[verb] as Verb<unknown, unknown>)(tx, items);
        raw.exec("commit");
        return { replies, news: newsText(tx.news) };
      } catch (error) {
        if (raw.isTransaction) raw.exec("rollback");
        throw error;
      }
    },
    ask: (text, ...values) => prepare(text).all(...values),
    clear: () => tables.forEach((table) => prepare(`delete from ${table}`).run()),
    close: () => db.destroy(),
  };
}
