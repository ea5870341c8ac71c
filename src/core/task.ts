import type { ErrorCode } from "./errors.ts";
import type { TaskInput } from "./kinds.ts";
import type { Price } from "./pricing.ts";

export const statuses = ["SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"] as const;
export type Status = (typeof statuses)[number];

const moves: Record<Status, readonly Status[]> = {
  SUBMITTED: ["QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"],
  QUEUED: ["IN_PROGRESS", "SUCCESS", "FAILURE"],
  IN_PROGRESS: ["SUCCESS", "FAILURE"],
  SUCCESS: [],
  FAILURE: [],
};

/** Whether a task in one state may go to another: forward only, and never out of an end. */
export function mayMove(from: Status, to: Status): boolean {
  return moves[from].includes(to);
}

/** SUCCESS and FAILURE are for ever. */
export function isFinal(status: Status): boolean {
  return moves[status].length === 0;
}

/** The operation group a task came in through; decides how it is shown. */
export type Dialect = "video" | "music-a" | "music-b";

export type TaskAsset = { id: string; kind: "video" | "audio" | "image"; mime: string; bytes: number; expiresAt: number };

export type StoredSong = {
  upstreamId: string | null;
  title: string;
  tags: string;
  lyrics: string;
  durationSeconds: number;
  seed: number | null;
  /** Asset ids. */
  audio: string;
  image: string | null;
  video: string | null;
};

/** What a finished task left: facts, and the ids of its assets. */
export type TaskResult =
  | { kind: "video"; video: string; cover: string | null; durationSeconds: number }
  | { kind: "music"; songs: StoredSong[] }
  | { kind: "lyrics"; title: string; text: string; tags: string[] };

/** A task as it is when it is accepted. */
export type NewTask = Omit<Task, "status" | "progress" | "costNanos" | "failCode" | "failReason" | "result" | "assets" | "startedAt" | "finishedAt" | "version">;

/** The whole of a task that was accepted this moment. */
export function acceptedTask(task: NewTask): Task {
  const { id, account, dialect, model, price, holdNanos, songIds, createdAt, deadlineAt, kind, input } = task;
  return {
    ...({ kind, input } as TaskInput),
    ...{ id, account, dialect, model, price, holdNanos, songIds, createdAt, deadlineAt },
    ...{ status: "SUBMITTED", progress: 0, costNanos: null, failCode: null, failReason: null, result: null, assets: [], startedAt: null, finishedAt: null, version: 1 },
  };
}

export type Task = TaskInput & {
  id: string;
  account: string;
  dialect: Dialect;
  /** The name the client used. */
  model: string;
  status: Status;
  /** Whole per cent. */
  progress: number;
  price: Price;
  holdNanos: number;
  /** Null until the task ends. */
  costNanos: number | null;
  failCode: ErrorCode | null;
  failReason: string | null;
  result: TaskResult | null;
  assets: TaskAsset[];
  /** Our ids of the songs a music task makes, known from the start. */
  songIds: string[];
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  deadlineAt: number;
  /** Grows with every change that a client can see. */
  version: number;
};
