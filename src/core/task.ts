import type { ErrorCode } from "./errors.ts";
import { workOf, type Button, type TaskInput } from "./kinds.ts";
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
export type Dialect = "video" | "music-a" | "music-b" | "image-a" | "image-b" | "video-b" | "openai-video" | "images" | "call";

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

export type StoredPicture = {
  /** The asset's id. */
  image: string;
  seed: number | null;
  prompt: string | null;
  /** Pixels; 0 where they could not be read. */
  width: number;
  height: number;
};

/** What a finished task left, and what was changed of its request on the way. */
export type TaskResult = Made & { note?: string };

/** Facts, and the ids of assets. */
type Made =
  | {
      kind: "video";
      video: string;
      cover: string | null;
      durationSeconds: number;
      /** Pixels; absent where they could not be read. */
      width?: number;
      height?: number;
    }
  | { kind: "music"; songs: StoredSong[] }
  | { kind: "lyrics"; title: string; text: string; tags: string[] }
  | {
      kind: "image";
      pictures: StoredPicture[];
      /** An asset's id: the pictures as one. */
      grid: string | null;
      texts: string[];
      buttons: Button[];
      usage: Record<string, unknown> | null;
    }
  /** The reply to a deferred call: JSON, text or a medium. */
  | { kind: "reply"; value: unknown; text: string | null; media: string | null };

/** What a task is from the start. */
export type NewTask = TaskInput & {
  id: string;
  account: string;
  dialect: Dialect;
  /** The name the client used. */
  model: string;
  price: Price;
  holdNanos: number;
  /** Our ids of the songs a music task makes, known from the start. */
  songIds: string[];
  createdAt: number;
  deadlineAt: number;
};

/** A task, and what has become of it. */
export type Task = NewTask & {
  status: Status;
  /** Whole per cent. */
  progress: number;
  /** Null until the task ends. */
  costNanos: number | null;
  failCode: ErrorCode | null;
  failReason: string | null;
  result: TaskResult | null;
  assets: TaskAsset[];
  startedAt: number | null;
  finishedAt: number | null;
  /** Grows with every change that a client can see. */
  version: number;
};

/** Our ids of a task's songs: as many as there will be, and then as many as there are. */
export function songIdsOf({ songIds, result }: Task): string[] {
  return result?.kind === "music" ? songIds.slice(0, result.songs.length) : songIds;
}

/** The whole of a task that was accepted this moment. */
export function acceptedTask(task: NewTask): Task {
  const { id, account, dialect, model, price, holdNanos, songIds, createdAt, deadlineAt } = task;
  return {
    ...workOf(task),
    id,
    account,
    dialect,
    model,
    price,
    holdNanos,
    songIds,
    createdAt,
    deadlineAt,
    status: "SUBMITTED",
    progress: 0,
    costNanos: null,
    failCode: null,
    failReason: null,
    result: null,
    assets: [],
    startedAt: null,
    finishedAt: null,
    version: 1,
  };
}
