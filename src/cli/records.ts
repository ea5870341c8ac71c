/** The service's replies as the command line reads them: only the fields it uses, whatever else a later version adds. */
import { Type, type Static, type TSchema } from "typebox";

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);
const numberOrNull = Type.Union([Type.Number(), Type.Null()]);
const secondsOrNull = numberOrNull;
const listOrNull = Type.Union([Type.Array(text), Type.Null()]);

export const ErrorReply = Type.Object({ error: Type.Object({ message: text, code: text }) });

export function Page<S extends TSchema>(item: S) {
  return Type.Object({ data: Type.Array(item), has_more: Type.Optional(Type.Boolean()) });
}

export const AccountRecord = Type.Object({
  id: text,
  name: text,
  available_usd: Type.Number(),
  held_usd: Type.Number(),
  used_usd: Type.Number(),
  frozen: Type.Boolean(),
});

export const CreditRecord = Type.Object({ account: text, amount_usd: Type.Number(), available_usd: Type.Number() });

export const KeyRecord = Type.Object({
  id: text,
  account: text,
  name: text,
  last_four: text,
  scopes: listOrNull,
  models: listOrNull,
  ips: listOrNull,
  expires_at: secondsOrNull,
  revoked_at: secondsOrNull,
  requests_per_minute: numberOrNull,
  tokens_per_minute: numberOrNull,
  concurrent_calls: numberOrNull,
  concurrent_tasks: numberOrNull,
  spend_cap_usd: numberOrNull,
  spent_usd: Type.Number(),
});

export const CreatedKey = Type.Object({ ...KeyRecord.properties, key: text });

export const ProviderRecord = Type.Object({
  name: text,
  kinds: Type.Array(text),
  keys: Type.Number(),
  off: Type.Boolean(),
  concurrent: Type.Number(),
  per_minute: numberOrNull,
  running: Type.Number(),
  waiting: Type.Number(),
});

export const TaskRecord = Type.Object({
  id: text,
  kind: text,
  model: text,
  status: text,
  progress: Type.Number(),
  created_at: Type.Number(),
  started_at: secondsOrNull,
  finished_at: secondsOrNull,
  cost_usd: Type.Number(),
  error: Type.Union([Type.Object({ message: text, code: text }), Type.Null()]),
  assets: Type.Array(Type.Object({ id: text, kind: text, url: text, mime: text, bytes: Type.Number() })),
  result: Type.Unknown(),
  // Shown to operators only.
  account: Type.Optional(text),
  hold_usd: Type.Optional(Type.Number()),
  attempts: Type.Optional(
    Type.Array(Type.Object({ n: Type.Number(), provider: text, model: text, state: text, upstream_id: textOrNull, cause: textOrNull })),
  ),
});
export type TaskRecord = Static<typeof TaskRecord>;

export const CancelledTask = Type.Object({ ...TaskRecord.properties, charged: Type.Boolean() });

/** The results of the three kinds of tasks. */
export const VideoResult = Type.Object({ video_url: text });
export const MusicResult = Type.Object({ songs: Type.Array(Type.Object({ title: text, audio_url: text })) });
export const LyricsResult = Type.Object({ title: text, text });

/** The reply to a create: the groups put the task's id in either place, and music A a song's id in the other. */
export const CreatedTask = Type.Object({ id: Type.Optional(text), data: Type.Optional(text) });

export const FileRecord = Type.Object({ id: text });
export const ModelRecord = Type.Object({ id: text, kinds: Type.Array(text) });
export const HealthReply = Type.Object({ version: text });
export const ReadyReply = Type.Object({ checks: Type.Record(text, text) });
export const Anything = Type.Unknown();
