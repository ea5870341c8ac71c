import { asApiError, isAbort } from "../../api/api-error.ts";
import { client, read, send, sendJson } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";
import { list, text } from "../../api/task-result.ts";
import { followTask } from "../../api/follow-task.ts";
import { isFinal } from "../../api/tasks.ts";
import { formDataOf, type Request } from "./request.ts";
import { addRun, changeColumn, type Column, type Run } from "./run-store.ts";
import { streamText } from "./text-stream.ts";
import type { Way } from "./ways.ts";

type Asking = { account: string; way: Way; prompt: string; asked: readonly { model: string; request: Request }[] };

/** Sends a request to each model and follows what becomes of it; never throws: what fails is shown where the result would be. */
export function startRun(asking: Asking): Promise<Run> {
  const run = addRun(asking);
  return Promise.all(run.columns.map((column, index) => carryOut(run, index, column.request))).then(() => {
    void queryClient.invalidateQueries({ queryKey: ["balance"] });
    void queryClient.invalidateQueries({ queryKey: ["tasks"] });
    return run;
  });
}

/** Stops what has not ended: tasks are cancelled, streams cut off. */
export async function stopRun(run: Run): Promise<void> {
  const running = run.columns.flatMap(({ taskId, phase }) => (taskId !== null && phase === "running" ? [taskId] : []));
  if (running.length === 0) run.stop.abort();
  await Promise.all(running.map((id) => read(client.POST("/v1/tasks/{id}/cancel", { params: { path: { id } } }))));
}

async function carryOut(run: Run, index: number, request: Request): Promise<void> {
  const change = (changed: (column: Column) => Partial<Column>) => changeColumn(run.id, index, changed);
  try {
    await carriers[run.way.gives](request, run.stop.signal, change);
    change(({ phase }) => ({ endedAt: Date.now(), ...(phase === "running" && { phase: "done" }) }));
  } catch (error) {
    change(() => ({ endedAt: Date.now(), ...(isAbort(error) ? { phase: "stopped" } : { phase: "failed", error: asApiError(error) }) }));
  }
}

type Change = (changed: (column: Column) => Partial<Column>) => void;
type Carry = (request: Request, signal: AbortSignal, change: Change) => Promise<void>;

const carryText: Carry = async ({ path, body }, signal, change) => {
  change(() => ({ phase: "running" }));
  await streamText(path, body, signal, {
    onTokens: (tokens) => change((column) => ({ tokens: [...column.tokens, ...tokens] })),
    onUse: (use) => change((column) => ({ use: { ...column.use, ...use } })),
  });
};

const carriers: Record<Way["gives"], Carry> = {
  chat: carryText,
  completion: carryText,
  async vectors({ path, body }, signal, change) {
    change(() => ({ phase: "running" }));
    const reply: unknown = await (await sendJson(path, body, signal)).json();
    const vectors = list(reply, "data").map((each) => list(each, "embedding").map(Number));
    change(() => ({ vectors }));
  },
  async task(request, signal, change) {
    const { path, body, sends } = request;
    const reply = await (sends === "json"
      ? sendJson(path, body, signal)
      : send(path, { method: "POST", body: formDataOf(request), signal }));
    const taskId = idIn(await reply.json());
    change(() => ({ phase: "running", taskId }));
    await followTask(taskId, signal, (task) => {
      if (!isFinal(task.status)) return change(() => ({ task }));
      change(() => ({ task, phase: task.status === "SUCCESS" ? "done" : "failed" }));
    });
  },
};

/** The groups name the new task differently: music A puts a song's id where others have the task's. */
function idIn(reply: unknown): string {
  const id = text(reply, "task_id") || text(reply, "result") || text(reply, "data") || text(reply, "id");
  if (id === "") throw new Error("The service named no task.");
  return id;
}
