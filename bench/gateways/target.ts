/** One way from a client to the upstream. */
export type Target = {
  name: string;
  title: string;
  /** What it is and does here, for the reader of the figures. */
  about: string;
  /** Throws with the reason when it cannot be had on this machine. */
  start(upstreamPort: number): Promise<RunningTarget>;
  /** The longest wait until it answers. */
  readyWithinMs?: number;
};

export type RunningTarget = {
  port: number;
  /** Null for the upstream itself, which is not measured. */
  pid: number | null;
  headers: Readonly<Record<string, string>>;
  /** What the gateway wants before the name of a model. */
  modelPrefix?: string;
  /** Null while it runs; else why it ended. */
  trouble(): string | null;
  stop(): Promise<void>;
};
