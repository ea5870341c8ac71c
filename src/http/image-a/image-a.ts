import { Type, type Static, type TSchema } from "typebox";
import type { Draft } from "../../core/plan.ts";
import { Failure } from "../../core/errors.ts";
import type { Task } from "../../core/task.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import type { Asking, Order } from "./asking.ts";
import { ableBy } from "./buttons.ts";
import { change, press, simpleChange } from "./follow-ups.ts";
import { answerModal, findModal, openModal } from "./modal.ts";
import { blend, describePicture, edits, imagine, shorten, swapFaces } from "./new-pictures.ts";
import { imageARecord, ImageTask, modalRecord } from "./record.ts";
import * as schemas from "./schemas.ts";
import { animate } from "./videos.ts";
import { checkedBody } from "../multipart.ts";
import { mebibyte, operation, type Ask, type Operation } from "../operation.ts";
import type { Services } from "../services.ts";

type AnyAsk = Ask<unknown, unknown, unknown>;
/** A create, and how its request is read where it is only to be priced. */
type Create = { path: string; operation: Operation; read(ask: AnyAsk, body: unknown, services: Services): Promise<Draft> };

const { SubmitReply } = schemas;
const prefixes = ["/mj", "/mj-fast/mj", "/mj-relax/mj", "/mj-turbo/mj"];
const group = { tag: "image A", errors: "midjourney", auth: "client", scope: "imageA" } as const;
const posted = { ...group, method: "POST", bodyLimit: 32 * mebibyte, reply: Type.Union([ImageTask, SubmitReply]) } as const;
const Id = Type.Object({ id: Type.String() });

function addresses(...paths: string[]): { url: string; aliases: string[] } {
  const [url = "", ...aliases] = ["/imageA", ...prefixes].flatMap((prefix) => paths.map((path) => prefix + path));
  return { url, aliases };
}

function create<S extends TSchema>(
  path: string,
  summary: string,
  body: S,
  read: (body: Static<S>, asking: Asking) => Promise<Order>,
): Create {
  return {
    path,
    operation: operation({
      ...posted,
      ...addresses(path),
      summary,
      body,
      async run(ask, services) {
        const order = await read(ask.body, askingOf(ask, services));
        if (order.modal === undefined) return submit(ask, order.draft, services);
        return submitReply(21, "Waiting for a modal", await openModal(order.modal, ask.caller, services));
      },
    }),
    read: async (ask, asked, services) => (await read(checkedBody(ask, body, asked), askingOf(ask, services))).draft,
  };
}

const creates = [
  create("/submit/imagine", "Make pictures from a prompt", schemas.ImagineRequest, imagine),
  create("/submit/change", "Enlarge, vary or repeat pictures", schemas.ChangeRequest, change),
  create("/submit/simple-change", "The same in one line of text", schemas.SimpleChangeRequest, simpleChange),
  create("/submit/blend", "Blend pictures", schemas.BlendRequest, blend),
  create("/submit/describe", "Describe a picture", schemas.DescribeRequest, describePicture),
  create("/submit/shorten", "Shorten a prompt", schemas.ShortenRequest, shorten),
  create("/submit/action", "Press a button of a task", schemas.ActionRequest, press),
  create("/submit/edits", "Change a picture after a prompt", schemas.EditsRequest, edits),
  create("/submit/video", "Make a video from a picture", schemas.VideoRequest, animate),
  create("/insight-face/swap", "Put the face of one picture into another", schemas.SwapRequest, swapFaces),
];

const modal = operation({
  ...posted,
  ...addresses("/submit/modal"),
  summary: "Say what a pressed button asked for",
  body: schemas.ModalRequest,
  async run(ask, services) {
    const { body, caller } = ask;
    const started = () => services.store.task({ id: body.taskId, account: caller.account.id });
    const known = await started();
    if (known !== null && known.dialect === "image-a") return submitReply(1, accepted, known.id);
    const { draft, hook } = await answerModal(body, askingOf(ask, services));
    const told = { ...ask, body: { ...body, notifyHook: body.notifyHook || hook }, content: body };
    return submit(told, draft, services).catch(async (error: unknown) => {
      // Of two that come at once, one starts it.
      const first = await started();
      if (first === null) throw error;
      return submitReply(1, accepted, first.id);
    });
  },
});

const accepted = "Submit success";

function submit(ask: AnyAsk & { content?: unknown }, draft: Draft, services: Services): Promise<unknown> {
  return createTask(ask, services, draft, {
    created: (task) => submitReply(1, accepted, task.id),
    queried: (task) => shown(task, ask, services),
  });
}

function submitReply(code: number, description: string, result: string): Static<typeof SubmitReply> {
  return { code, description, result, properties: {} };
}

function askingOf({ caller, request }: AnyAsk, services: Services): Asking {
  return { caller, services, address: request.url };
}

function shown(task: Task, { base }: Pick<AnyAsk, "base">, services: Services): Static<typeof ImageTask> {
  return imageARecord(task, assetUrls(services, base), ableBy(services.catalog, task.model));
}

/** A task of this group, or a press that waits for more, as clients see it; null where there is neither. */
async function look(id: string, ask: AnyAsk, services: Services): Promise<Static<typeof ImageTask> | null> {
  const task = await services.store.task({ id, account: ask.caller.account.id });
  if (task !== null) return task.dialect === "image-a" ? shown(task, ask, services) : null;
  const waiting = await findModal(services.store, ask.caller, id);
  return waiting === null ? null : modalRecord({ ...waiting, id });
}

const fetchOne = operation({
  ...group,
  ...addresses("/task/:id/fetch"),
  method: "GET",
  summary: "Get one task",
  params: Id,
  reply: ImageTask,
  async run(ask, services) {
    const record = await look(ask.params.id, ask, services);
    if (record === null) throw new Failure("task_not_found");
    return record;
  },
});

const fetchMany = operation({
  ...group,
  ...addresses("/task/list-by-condition", "/task/list-by-ids"),
  method: "POST",
  summary: "Get several tasks",
  body: Type.Object({
    ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, description: "0 to 100 ids of tasks" }),
  }),
  reply: Type.Array(ImageTask),
  async run(ask, services) {
    const records = await Promise.all([...new Set(ask.body.ids)].map((id) => look(id, ask, services)));
    return records.filter((record) => record !== null);
  },
});

const getSeed = operation({
  ...group,
  ...addresses("/task/:id/image-seed"),
  method: "GET",
  summary: "Get the seed of a task's pictures",
  params: Id,
  reply: SubmitReply,
  async run({ params, caller }, services) {
    const { task } = await services.tasks.source(caller, params.id);
    if (task.dialect !== "image-a" || task.kind !== "image") throw new Failure("task_not_found");
    const seed = (task.result?.kind === "image" ? task.result.pictures[0]?.seed : null) ?? task.input.seed;
    if (seed === undefined) throw new Failure("not_supported", { says: "The provider of this task did not tell its seed." });
    return submitReply(1, "Success", String(seed));
  },
});

const cancel = operation({
  ...group,
  ...addresses("/task/:id/cancel"),
  method: "POST",
  summary: "Cancel a task",
  params: Id,
  reply: SubmitReply,
  async run({ params, caller }, services) {
    const task = await services.store.task({ id: params.id, account: caller.account.id });
    if (task === null && (await findModal(services.store, caller, params.id)) !== null)
      throw new Failure("task_not_ready", { says: "The task waits for a modal: it has not started and costs nothing." });
    if (task?.dialect !== "image-a") throw new Failure("task_not_found");
    const { charged } = await services.tasks.cancel(caller, params.id);
    return { ...submitReply(1, charged ? "Cancelled, and charged in full" : "Cancelled", params.id), properties: { charged } };
  },
});

export const imageAOperations = [...creates.map((made) => made.operation), modal, fetchOne, fetchMany, getSeed, cancel];

/** How the creates of this group are read, for prices; by the path behind the prefix. */
export const imageAReaders: ReadonlyMap<string, Create["read"]> = new Map([
  ...creates.map(({ path, read }) => [path, read] as const),
  [
    "/submit/modal",
    async (ask, body, services) => (await answerModal(checkedBody(ask, schemas.ModalRequest, body), askingOf(ask, services))).draft,
  ],
]);
