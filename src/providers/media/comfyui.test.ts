import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import type { UpstreamJob } from "../../core/provider.ts";
import { comfyui } from "./comfyui.ts";
import { imageJob, sent, work } from "./image-start.fixture.ts";

const workflow = {
  "6": { class_type: "CLIPTextEncode", inputs: { text: "", clip: ["4", 1] } },
  "3": { class_type: "KSampler", inputs: { seed: 0, steps: 8 } },
  "9": { class_type: "SaveImage", inputs: { images: ["8", 0] } },
};
const bindings = { prompt: "6.inputs.text", seed: ["3.inputs.seed"] };
const filled = { ...workflow, "6": { class_type: "CLIPTextEncode", inputs: { text: "a lighthouse", clip: ["4", 1] } } };
const accepted = { body: { prompt_id: "p1", number: 1, node_errors: {} } };
const model = "base.safetensors";

function promptOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "prompt" in body ? body.prompt : null;
}

test("a workflow is filled at the places that the options name, from the file or from the options themselves", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "workflow-"));
  context.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "graph.json");
  await writeFile(path, JSON.stringify(workflow));
  for (const source of [workflow, path]) {
    const { body } = await sent(comfyui, imageJob(model, { seed: 7 }), accepted, { options: { workflow: source, bindings } });
    assert.deepEqual(promptOf(body), { ...filled, "3": { class_type: "KSampler", inputs: { seed: 7, steps: 8 } } });
  }
});

test("without a seed each attempt has its own, the same at every repetition", async () => {
  const graph = async (attempt: number) =>
    JSON.stringify(promptOf((await sent(comfyui, imageJob(model, {}, attempt), accepted, { options: { workflow, bindings } })).body));
  assert.equal(await graph(1), await graph(1));
  assert.notEqual(await graph(1), await graph(2));
});

test("the job has a name of ours that is a UUID, another for each attempt", async () => {
  const name = async (attempt: number) => {
    const { body } = await sent(comfyui, imageJob(model, {}, attempt), accepted);
    return typeof body === "object" && body !== null && "prompt_id" in body ? String(body.prompt_id) : "";
  };
  const [first, second] = [await name(1), await name(2)];
  assert.equal(first, imageJob(model, {}).taskId);
  assert.match(second, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("options that cannot be followed are refused with a sentence when the provider is made", () => {
  const create = (options: Record<string, unknown>) => comfyui.create({ name: "gpu", allowPrivateNetwork: true, options });
  assert.throws(() => create({ workflow: { nodes: [] } }), /The provider gpu: its workflow is no graph in ComfyUI's API format/);
  assert.throws(() => create({ workflow: "/no/such/file.json" }), /could not be read from \/no\/such\/file.json/);
  assert.throws(() => create({ workflow, bindings: { prompt: "7.inputs.text" } }), /has nothing at 7.inputs.text/);
});

test("a picture for a workflow without a place for one is refused", async () => {
  const job = imageJob(model, { act: "edit", images: [{ from: "file", id: "1" }] });
  const { started } = await sent(comfyui, job, { body: { name: "file.png" } }, { options: { workflow, bindings } });
  assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
});

type Server = (request: StubRequest) => StubReply;
const job: UpstreamJob = { upstreamId: "p1", keep: {}, kind: "image", model };

async function withStub<T>(server: Server, run: (tasks: ReturnType<typeof comfyui.create>["tasks"]) => Promise<T>) {
  const stub = await createStub(server);
  try {
    const { tasks } = comfyui.create({ name: "gpu", baseUrl: stub.url, allowPrivateNetwork: true });
    return {
      value: await run(tasks),
      paths: stub.requests.map(({ method, url }) => `${method} ${url}`),
      bodies: stub.requests.map(({ body }) => body),
    };
  } finally {
    await stub.close();
  }
}

test("a server without /api/jobs is asked for its history, where a job that is not there goes on", async () => {
  const old =
    (history: unknown): Server =>
    ({ url }) =>
      url.startsWith("/history") ? { body: history } : { status: 404 };
  const going = await withStub(old({}), async (tasks) => tasks.poll?.(job, work));
  assert.equal(going.value?.state, "running");
  const images = [{ filename: "a b.png", subfolder: "", type: "output" }];
  const record = { p1: { outputs: { "9": { images } }, status: { status_str: "success", completed: true, messages: [] } } };
  const { value } = await withStub(old(record), async (tasks) => tasks.poll?.(job, work));
  const media = value?.state === "done" && value.output.kind === "image" && value.output.pictures[0]?.media;
  assert.ok(media && media.from === "url" && media.url.endsWith("/view?filename=a%20b.png&subfolder=&type=output"), JSON.stringify(value));
});

test("a job that such a server cannot speak of is taken for sent; one that a newer server does not know is not", async () => {
  const found = async (server: Server) => (await withStub(server, async (tasks) => tasks.lookup?.(imageJob(model, {}), work))).value;
  assert.equal((await found(() => ({ status: 404 })))?.state, "accepted");
  assert.equal(await found(() => ({ status: 404, body: { error: "Job not found" } })), null);
});

test("a waiting job is taken out of the queue, and a running one is interrupted by its name", async () => {
  let state = "pending";
  const server: Server = ({ method, url }) => {
    if (method === "POST") state = url === "/queue" ? "gone" : state;
    return state === "gone" ? { status: 404, body: { error: "Job not found" } } : { body: { id: "p1", status: state } };
  };
  const waiting = await withStub(server, async (tasks) => tasks.cancel?.(job, work));
  assert.equal(waiting.value, true);
  assert.deepEqual(waiting.bodies.find(Boolean), { delete: ["p1"] });
  state = "in_progress";
  const running = await withStub(server, async (tasks) => tasks.cancel?.(job, work));
  assert.equal(running.value, true);
  assert.ok(running.paths.includes("POST /interrupt"));
  assert.deepEqual(running.bodies.find(Boolean), { prompt_id: "p1" });
});
