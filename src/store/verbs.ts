import type { StoreWrites } from "../core/ports.ts";
import { accept } from "./accept.ts";
import { createAccount, createKey, credit, recordAudit, updateAccount, updateKey } from "./accounts.ts";
import { raiseAlert } from "./alerts.ts";
import { deleteAsset, deleteTask, prune, putAsset, putModal } from "./assets.ts";
import { charge } from "./charge.ts";
import { claim } from "./claim.ts";
import { finish } from "./finish.ts";
import { lease, returnLease } from "./leases.ts";
import { beat, leave, setFact } from "./nodes.ts";
import { postUsage } from "./post-usage.ts";
import { foldPulse, recordPulse } from "./pulse.ts";
import type { Verb } from "./query.ts";
import { claimReply, dropReply, keepReply } from "./replies.ts";
import { answer, beginCollect, intend, park, pollNow, progress, redirect, renew } from "./steps.ts";
import { exchange } from "./tally.ts";
import {
  announce,
  createEndpoint,
  deleteEndpoint,
  finishChore,
  recordDelivery,
  resend,
  scheduleChore,
  setHookSecret,
  updateEndpoint,
} from "./webhooks.ts";

type Verbs = { [V in keyof StoreWrites]: Verb<Parameters<StoreWrites[V]>[0], Awaited<ReturnType<StoreWrites[V]>>> };

/** Every write the store knows. */
export const verbs: Verbs = {
  accept,
  charge,
  postUsage,
  recordPulse,
  foldPulse,
  raiseAlert,
  lease,
  returnLease,
  exchange,
  beat,
  leave,
  setFact,
  claim,
  intend,
  answer,
  progress,
  beginCollect,
  park,
  pollNow,
  redirect,
  renew,
  finish,
  deleteTask,
  putAsset,
  deleteAsset,
  putModal,
  claimReply,
  keepReply,
  dropReply,
  createAccount,
  updateAccount,
  credit,
  createKey,
  updateKey,
  createEndpoint,
  updateEndpoint,
  deleteEndpoint,
  setHookSecret,
  announce,
  recordDelivery,
  resend,
  scheduleChore,
  finishChore,
  prune,
  recordAudit,
};

export type VerbName = keyof StoreWrites;
/** Writes of calls: a power failure may forget the last moment of them, a crash of the service none. */
export const callVerbs: ReadonlySet<VerbName> = new Set<VerbName>(["charge", "recordPulse", "claimReply", "keepReply", "dropReply"]);
export const verbNames = Object.keys(verbs) as VerbName[];
