import assert from "node:assert/strict";
import { uuid } from "./samples.ts";
import type { Clip, ClipMetadata } from "./wire.ts";

/** The 22 fields of a music record of provider A, and what each must be. */
const recordTypes: Record<string, string> = {
  id: "string",
  title: "string",
  handle: "string",
  status: "string",
  user_id: "string",
  is_liked: "boolean",
  metadata: "object",
  reaction: "null",
  audio_url: "string",
  image_url: "string",
  video_url: "string",
  image_large_url: "string",
  is_public: "boolean",
  created_at: "string",
  is_trashed: "boolean",
  model_name: "string",
  major_model_version: "string",
  play_count: "integer",
  upvote_count: "integer",
  display_name: "string",
  is_video_pending: "boolean",
  is_handle_updated: "boolean",
};

/** Its twelve metadata fields; "nullable" are those the mission's sample shows as null. */
const metadataTypes: Record<keyof ClipMetadata, string> = {
  tags: "string",
  type: "string",
  prompt: "string",
  stream: "boolean",
  duration: "number",
  refund_credits: "boolean",
  history: "nullable",
  error_type: "nullable",
  error_message: "nullable",
  concat_history: "nullable",
  audio_prompt_id: "nullable",
  gpt_description_prompt: "nullable",
};

const fits: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  nullable: () => true,
  integer: Number.isInteger,
  number: (value) => typeof value === "number" && Number.isFinite(value),
};

function checkTypes(record: object, types: Record<string, string>): void {
  for (const [name, type] of Object.entries(types)) {
    assert.ok(Object.hasOwn(record, name), `${name} is missing`);
    const value: unknown = Reflect.get(record, name);
    assert.ok(fits[type]?.(value) ?? typeof value === type, `${name} is ${JSON.stringify(value)}, not ${type}`);
    if (type === "object") assert.notEqual(value, null, name);
  }
}

/** Throws unless this is a music record with every field of its type, and no more than those and `more`. */
export function checkClip(clip: Clip, more: readonly string[] = []): void {
  assert.deepEqual(Object.keys(clip).sort(), [...Object.keys(recordTypes), ...more].sort());
  assert.deepEqual(Object.keys(clip.metadata).sort(), Object.keys(metadataTypes).sort());
  checkTypes(clip, recordTypes);
  checkTypes(clip.metadata, metadataTypes);
  assert.match(clip.id, uuid);
  assert.match(clip.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}
