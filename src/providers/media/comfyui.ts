import type { Job } from "../../core/provider.ts";
import { createJob, type JobAdapter } from "../job/job.ts";
import type { JobSpec, Prepare } from "../job/spec.ts";
import { folder, graphOf, readWorkflow, type Workflow } from "./comfyui-graph.ts";
import { promptIdOf, withServer } from "./comfyui-server.ts";
import { withImageInput, withSize } from "./image-input.ts";

const home = "http://127.0.0.1:8188";
const subfolder = { from: "taskId", as: { prefix: folder } } as const;
const image: Prepare<"image"> = {
  when: [{ at: "input.images[0]", exists: true }],
  send: "POST /upload/image",
  form: { image: { from: "input.images[0]", as: "file" }, subfolder },
  take: "name",
};
const mask: Prepare<"image"> = {
  when: [{ at: "input.mask", exists: true }],
  send: "POST /upload/image",
  form: { image: { from: "input.mask", as: { mask: "transparent", as: "file" } }, subfolder },
  take: "name",
};

const specFor = (workflow: Workflow | null): JobSpec => ({
  type: "comfyui",
  about: {
    title: "ComfyUI",
    summary:
      "A ComfyUI server of your own. Without options a model's name is that of a checkpoint and a plain graph is run; with a workflow in API format any graph is. Servers without the address /api/jobs cannot say that a job waits or was lost, nor be told to stop one that waits. A key is sent as a bearer token, for a proxy in front.",
    options: {
      workflow: "A graph in API format, or the path of a file that holds one.",
      bindings:
        "Where a job's values go: prompt, negative_prompt, seed, width, height, batch, strength, image, mask, checkpoint; each a place such as 6.inputs.text, or a list of them. A mask is transparent where to paint.",
    },
    examples: [{ kind: "image", model: "sd_xl_base_1.0.safetensors", price: "per_image: 0.01" }],
  },
  baseUrl: home,
  keyOptional: true,
  pollEveryMs: 2_000,
  models: { image: { "*": { acts: ["generate", "edit", "vary"], count: 8 } } },
  start: [
    {
      kind: "image",
      prepare: { image, mask },
      send: "POST /prompt",
      build: (job: Job, { prepared }) => ({ prompt: graphOf(job, prepared, workflow), prompt_id: promptIdOf(job) }),
    },
  ],
  accepted: { id: "prompt_id" },
  poll: { send: "GET /api/jobs/{id}" },
  status: {
    at: "status",
    words: { pending: "queued", in_progress: "running", completed: "done", failed: "failed", cancelled: "cancelled" },
  },
  results: {
    image: { pictures: "outputs[*].images[*]", media: { send: "GET /view?filename={filename}&subfolder={subfolder?}&type={type}" } },
  },
  errors: {
    code: "error.type",
    message: ["error.message", "error", "execution_error.exception_message", "status.messages[*][1].exception_message"],
    codes: { "*invalid*": "invalid", "*validation*": "invalid", no_prompt: "invalid" },
    texts: [["nsfw|safety|not allowed", "content_policy"]],
  },
});

// Servers from before /api/jobs show a job once it is over, and until then nothing at all.
const byHistory: Pick<JobSpec, "poll" | "status"> = {
  poll: { send: "GET /history/{id}", task: "{id}", absent: "running" },
  status: {
    at: "status.status_str",
    words: { success: "done", error: "failed" },
    rules: [{ when: [{ at: "status", exists: false }], means: "done" }],
  },
};

/** ComfyUI's own server. */
export const comfyui: JobAdapter = {
  ...createJob(specFor(null)),
  create(settings) {
    const spec = specFor(readWorkflow(settings));
    const newer = withImageInput(createJob(spec), (input) => withSize(input, { pixels: 1024 * 1024, step: 8 })).create(settings);
    const older = createJob({ ...spec, ...byHistory }).create(settings);
    return { ...newer, tasks: withServer(newer.tasks, older.tasks.poll, settings, settings.baseUrl ?? home) };
  },
};
