import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import type { MoneyHeard, Store } from "../core/ports.ts";
import { createBatcher, type Group, type Outcome } from "./batcher.ts";
import { lockFolder } from "./folder-lock.ts";
import { tellNews, type NewsText } from "./news.ts";
import { openDatabase } from "./node-sqlite.ts";
import type { Query } from "./query.ts";
import { pointReadNames, reads, wideReadNames, type ReadName } from "./reads.ts";
import { startThread } from "./thread.ts";
import { verbNames, type VerbName } from "./verbs.ts";

/** The embedded store: one file in the data folder, one writing thread, one process. */
export async function openSqliteStore(dataDir: string): Promise<Store> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  const file = join(dataDir, "genway.db");
  const writer = await startThread("sqlite-writer", file);
  const reader = await startThread("sqlite-reader", file);
  const { db } = openDatabase(file, "read");
  const listeners: MoneyHeard[] = [];
  const write = createBatcher(async (group: Group) => {
    const { outcomes, news } = (await writer.ask({ group })) as unknown as { outcomes: Outcome[][]; news: NewsText };
    tellNews(listeners, news);
    return outcomes;
  });

  const methods: Record<string, (question: unknown) => Promise<unknown>> = {};
  for (const verb of verbNames) methods[verb] = (item) => written(write, verb, item);
  for (const read of pointReadNames)
    methods[read] = (question) => (reads[read] as (query: Query, asked: unknown) => Promise<unknown>)(db, question);
  for (const read of wideReadNames) methods[read] = (question) => asked(reader, read, question);

  const close = async () => {
    await writer.close();
    await reader.close();
    await db.destroy();
    lock.close();
  };
  // Every name of the port is a verb or a read: the lists are typed by it.
  return { ...methods, onMoney: (heard: MoneyHeard) => void listeners.push(heard), close } as Store;
}

async function written(write: ReturnType<typeof createBatcher>, verb: VerbName, item: unknown): Promise<unknown> {
  const outcome = await write(verb, item);
  if (!("error" in outcome)) return outcome.ok;
  if (outcome.full)
    throw new Failure("unavailable", { says: "The service cannot store anything now; try again later.", cause: outcome.error });
  throw new Error(outcome.error);
}

async function asked(reader: Awaited<ReturnType<typeof startThread>>, read: ReadName, question: unknown): Promise<unknown> {
  const reply = await reader.ask({ read, question });
  if (typeof reply.error === "string") throw new Error(reply.error);
  return reply.answer;
}
