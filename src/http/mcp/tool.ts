import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Static, TSchema } from "typebox";
import type { Client, TaskRecord } from "../../client/client.ts";

/** What a tool works with: the service as its caller may use it. */
export type Bench = {
  client: Client;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Tells whoever waits how far a task has come. */
  tell(task: TaskRecord): void;
  /** A file of the machine that the agent runs on; null where that is another than ours. */
  readFile: ((path: string) => Promise<Blob>) | null;
};

export type Tool = {
  name: string;
  title: string;
  /** What an agent reads to choose it. */
  says: string;
  input: TSchema;
  /** Whether it changes and costs nothing. */
  isReadOnly: boolean;
  run(given: unknown, bench: Bench): Promise<CallToolResult>;
};

type Typed<S extends TSchema> = Omit<Tool, "input" | "run"> & {
  input: S;
  run(given: Static<S>, bench: Bench): Promise<CallToolResult>;
};

/** Describes a tool; the type of what it is given is read off its schema. */
export function tool<S extends TSchema>(described: Typed<S>): Tool {
  return described;
}
