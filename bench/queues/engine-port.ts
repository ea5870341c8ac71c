/** Where an engine keeps its rows and jobs; plain data, so that another process can be told. */
export type Place = {
  databaseUrl: string;
  redisPort: number | null;
  /** What its keys in Redis begin with. */
  prefix: string;
};

/** One way to run media tasks: task, hold and ledger rows are in PostgreSQL whatever the engine, jobs are where it keeps them. */
export type Engine = {
  /** Accepts a task: when it returns, rows and job are written. */
  submit(id: string): Promise<void>;
  /** Starts what was submitted, asks about each job that many times, and settles; returns when that many tasks have ended. */
  work(tasks: number, polls: number): Promise<void>;
  /** Puts jobs before an upstream; one in `everyDue` is due now, the others in an hour. */
  fill(ids: readonly string[], everyDue: number): Promise<void>;
  /** Asks about due jobs, each of which waits for an hour then; answers about how many, which may differ a little from what was wanted. */
  poll(count: number): Promise<number>;
  /** Looks for due jobs when there are none; null where nobody has to look. */
  look: (() => Promise<void>) | null;
  /** Starts tasks as they come, the way the engine is meant to be used, and tells of each. */
  listen(started: (id: string) => void): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
};

export type Kind = "genway" | "pg-boss" | "pg-boss-resend" | "bullmq" | "bare";
