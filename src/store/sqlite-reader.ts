/** The reader thread: lists and sums, so that they never hold up a request. */
import { workerData } from "node:worker_threads";
import { openDatabase } from "./node-sqlite.ts";
import type { Query } from "./query.ts";
import { answerQuestions } from "./questions.ts";
import { reads, type ReadName } from "./reads.ts";

const { file } = workerData as { file: string };
const { db } = openDatabase(file, "read");

answerQuestions<{ read: ReadName; question: unknown }>({
  async answer({ read, question }) {
    try {
      return { answer: await (reads[read] as (query: Query, asked: unknown) => Promise<unknown>)(db, question) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  },
  close: () => db.destroy(),
});
