import assert from "node:assert/strict";
import { isInstant } from "../../lab/dialect.ts";
import type { Dialect, JobState, JobView, Sample } from "../../lab/dialect.ts";
import { createLab } from "../../lab/lab.ts";
import type { Lab } from "../../lab/lab.ts";
import { mediaBytes, mediaType } from "../../lab/media.ts";
import type { InputFile } from "../../src/core/kinds.ts";
import type { Adapter, Job, Polled, ProviderSettings, Started, TaskProvider, UpstreamJob, Work } from "../../src/core/provider.ts";

/** The key that the lab takes in these tests. */
export const secret = "lab-key-0123456789";

/** One adapter with its upstream in the lab, on a clock of their own: jobs wait 10 seconds and run 100. */
export type Probe = {
  adapter: Adapter;
  dialect: Dialect;
  /** The one that goes through every fault. */
  sample: Sample;
  isInstant: boolean;
  /** What the upstream says of a job that has just been accepted. */
  first: readonly Polled["state"][];
  lab(): Lab;
  open(): Promise<void>;
  close(): Promise<void>;
  now(): number;
  pass(seconds: number): void;
  provider(changes?: Partial<ProviderSettings>): TaskProvider;
  work(changes?: { signal?: AbortSignal; key?: string }): Work;
  start(mark: string, work?: Work): Promise<Started>;
  /** Starts a job that must be accepted. */
  begin(mark: string): Promise<UpstreamJob>;
  poll(job: UpstreamJob, work?: Work): Promise<Polled>;
  jobsWith(mark: string): ReturnType<Lab["jobs"]>;
};

export function createProbe(adapter: Adapter, dialect: Dialect): Probe {
  const [sample] = dialect.samples;
  if (!sample) throw new Error(`${dialect.type} has no samples`);
  let clock = 1_750_000_000_000;
  let lab: Lab | undefined;
  const opened = () => lab ?? assert.fail("the lab is not open");
  const work: Probe["work"] = ({ signal = new AbortController().signal, key = secret } = {}) => ({
    signal,
    credential: { id: "1", secret: dialect.credential?.(key) ?? key },
    report: () => {},
    load: async (file) => loaded(file),
  });
  const provider: Probe["provider"] = (changes = {}) => {
    const baseUrl = opened().baseUrl(dialect.type);
    const { webhookSecret, options = () => ({}) } = dialect;
    const settings = { name: "lab", baseUrl, allowPrivateNetwork: true, options: options(baseUrl) };
    const { tasks } = adapter.create({ ...settings, ...(webhookSecret !== undefined && { webhookSecret }), ...changes });
    return tasks ?? assert.fail(`${adapter.type} has no tasks`);
  };
  const start: Probe["start"] = (mark, given = work()) => provider().start(jobOf(sample, mark), given);
  return {
    adapter,
    dialect,
    sample,
    isInstant: isInstant(dialect, sample.kind),
    first: dialect.tellsQueue === false ? ["running", "queued"] : ["queued"],
    lab: opened,
    async open() {
      const script = { minSeconds: 100, maxSeconds: 100, queueSeconds: 10 };
      lab = await createLab({ keys: [secret], now: () => clock, script, dialects: [dialect] });
    },
    close: () => opened().close(),
    now: () => clock,
    pass: (seconds) => void (clock += seconds * 1_000),
    provider,
    work,
    start,
    begin: async (mark) => accepted(await start(mark), sample),
    poll: (job, given = work()) => ask(provider(), job, given),
    jobsWith: (mark) =>
      opened()
        .jobs()
        .filter(({ prompt }) => prompt.includes(mark)),
  };
}

let count = 0;

/** The sample as a job, with a mark in what the upstream takes for its prompt. */
export function jobOf(sample: Sample, mark: string): Job {
  const name = `task-${++count}`;
  const common = { taskId: name, attempt: 1, idempotencyKey: `${name}-1`, model: sample.model };
  const marked = (text: string) => (mark === "" ? text : `${text} ${mark}`);
  switch (sample.kind) {
    case "video":
      return { ...common, kind: "video", input: { ...sample.input, prompt: marked(sample.input.prompt) } };
    case "lyrics":
      return { ...common, kind: "lyrics", input: { prompt: marked(sample.input.prompt) } };
    case "image":
      return { ...common, kind: "image", input: { ...sample.input, prompt: marked(sample.input.prompt) } };
    case "music": {
      const { description, lyrics } = sample.input;
      const words = description === undefined ? { lyrics: marked(lyrics ?? "") } : { description: marked(description) };
      return { ...common, kind: "music", input: mark === "" ? sample.input : { ...sample.input, ...words } };
    }
    default:
      return assert.fail(`${sample.kind} is no kind of upstream task`);
  }
}

export function accepted(started: Started, { kind, model }: Sample): UpstreamJob {
  if (started.state !== "accepted") assert.fail(`not accepted: ${JSON.stringify(started)}`);
  return { upstreamId: started.upstreamId, keep: started.keep ?? {}, kind, model };
}

export async function ask(provider: TaskProvider, job: UpstreamJob, work: Work): Promise<Polled> {
  assert.ok(provider.poll, "a provider whose jobs are accepted can be asked about them");
  return provider.poll(job, work);
}

export function refusedClass(started: Started): string {
  return started.state === "refused" ? started.refusal.class : started.state;
}

export function assertDiscreet(outcome: Started | Polled): void {
  const refusal = "refusal" in outcome ? outcome.refusal : null;
  assert.ok(refusal?.says, "a client is told something");
  assert.doesNotMatch(refusal.says, /told to|moderation|SAFETY|\blab\b/i);
  assert.ok(refusal.cause, "the log is told what the upstream said");
}

/** A job as the lab might show it, to see how a dialect writes. */
export function viewIn({ dialect, sample, now, lab }: Probe, state: JobState): JobView {
  const at = now();
  return {
    id: "00000000-0000-4000-8000-000000000000",
    kind: sample.kind,
    model: sample.model,
    prompt: "",
    note: {},
    state,
    word: dialect.plain[state],
    progress: state === "done" ? 1 : 0.5,
    failure: "",
    hasResults: true,
    submittedAt: at,
    startedAt: at,
    finishedAt: at,
    link: (file) => `${lab().url}/media/0/${file}?until=${at + 60_000}`,
    baseUrl: lab().baseUrl(dialect.type),
  };
}

function loaded(file: InputFile): { bytes: Uint8Array; mime: string } {
  const text = file.from === "url" ? file.url : file.from === "data" ? file.uri : "";
  const name = /\.mp4|video\//.test(text) ? "clip.mp4" : /\.mp3|audio\//.test(text) ? "tone.mp3" : "cover.png";
  return { bytes: mediaBytes(name), mime: mediaType(name) };
}
