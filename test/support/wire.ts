/** What clients read off the wire, as the contract words it; tests check that it is true. */

export type ErrorDetail = { message: string; type: string; param: string | null; code: string };
export type PlainError = { error: ErrorDetail };
export type EnvelopeError = { code: string; message: string; data: null; error: ErrorDetail };

export type VideoTask = { id: string; model: string; status: string };
export type VideoRecord = VideoTask & {
  task_id: string;
  progress: string;
  submit_time: number;
  start_time: number;
  finish_time: number;
  fail_reason: string;
  error: ErrorDetail | null;
  video_url: string;
  url: string;
  cover_url: string;
  duration: number;
  aspect_ratio: string;
  cost: number;
};

export type ClipMetadata = {
  tags: string;
  type: string;
  prompt: string;
  stream: boolean;
  duration: number;
  refund_credits: boolean;
  history: unknown;
  error_type: unknown;
  error_message: unknown;
  concat_history: unknown;
  audio_prompt_id: unknown;
  gpt_description_prompt: unknown;
};
export type Clip = {
  id: string;
  title: string;
  handle: string;
  status: string;
  user_id: string;
  metadata: ClipMetadata;
  audio_url: string;
  image_url: string;
  image_large_url: string;
  video_url: string;
  created_at: string;
  model_name: string;
  display_name: string;
};
export type CreatedClip = Clip & { code: string; message: string; data: string; task_id: string };
export type Lyrics = { id: string; title: string; text: string; status: string; tags: string[]; error_message: string };
export type MusicTask<D = Clip[]> = {
  task_id: string;
  action: string;
  status: string;
  fail_reason: string;
  submit_time: number;
  start_time: number;
  finish_time: number;
  progress: string;
  data: D;
};
export type Envelope<D> = { code: string; message: string; data: D };

export type Song = {
  id: string;
  title: string;
  duration: number;
  finished: boolean;
  song_path: string;
  image_path: string;
  lyrics: string;
  generation_id: string;
};
export type GenerationTask = Omit<MusicTask<{ songs: Song[] }>, never> & { songs: Song[] };

export type Asset = { id: string; kind: string; url: string; mime: string; bytes: number; expires_at: number };
export type TaskRecord = {
  id: string;
  object: string;
  kind: string;
  model: string;
  prompt: string;
  title: string;
  parent: { task: string; relation: string } | null;
  status: string;
  progress: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  cost_usd: number;
  error: ErrorDetail | null;
  assets: Asset[];
  result: Record<string, unknown> | null;
};
export type WholeTask = TaskRecord & { request: { path: string; body: Record<string, unknown> } | null };
export type List<T> = { object: string; data: T[]; has_more: boolean };
export type FileRecord = {
  id: string;
  object: string;
  filename: string;
  purpose: string;
  mime: string;
  bytes: number;
  url: string;
  created_at: number;
  expires_at: number;
};
export type Balance = { object: string; currency: string; available_usd: number; held_usd: number; used_usd: number };
export type Webhook = { id: string; object: string; url: string; events: string[]; disabled: boolean; created_at: number; secret: string };
export type Delivery = {
  id: string;
  webhook: string | null;
  task: string | null;
  url: string;
  type: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
};
export type Quote = { amount_usd: number; currency: string; unit: string; details: unknown };

/** A video as the Luma dialect shows it. */
export type GenerationRecord = {
  id: string;
  prompt: string;
  model_name: string;
  state: string;
  created_at: string;
  video: null | { url: string; download_url: string; width: number; height: number; thumbnail: string; duration: number };
  thumbnail: null | { url: string; width: number; height: number };
  failure_reason: string | null;
  error: ErrorDetail | null;
};
/** A video as OpenAI's dialect shows it. */
export type VideoObject = {
  id: string;
  task_id: string;
  object: string;
  model: string;
  status: string;
  progress: number;
  prompt: string | null;
  created_at: number;
  completed_at: number | null;
  expires_at: number | null;
  seconds: string;
  size: string;
  remixed_from_video_id: string | null;
  error: { code: string; message: string } | null;
  url: string | null;
  video_url: string | null;
  metadata: { url?: string };
};

/** The reply to a create of the image A group. */
export type Submitted = { code: number; description: string; result: string; properties: Record<string, unknown> };
export type MidjourneyError = { code: number; description: string; result: null; properties: object; error: ErrorDetail };
/** A task as the image A group shows it. */
export type ImageTask = {
  id: string;
  action: string;
  status: string;
  prompt: string;
  promptEn: string;
  description: string;
  state: string;
  submitTime: number;
  startTime: number;
  finishTime: number;
  imageUrl: string;
  imageUrls: { url: string }[];
  videoUrl: string;
  videoUrls: { url: string }[];
  progress: string;
  failReason: string;
  error: ErrorDetail | null;
  buttons: { customId: string; emoji: string; label: string; type: number; style: number }[];
  maskBase64: string;
  properties: { finalPrompt: string; finalZhPrompt: string };
};
