import type { FastifyReply, FastifyRequest } from "fastify";
import { isFinal, type Task } from "../core/task.ts";
import { assetUrls } from "./asset-url.ts";
import type { Services } from "./services.ts";
import { taskRecord } from "./task-record.ts";

const heartbeatMs = 15_000;

/** Sends a task as it is now, then each change, until it has ended or the client has gone. */
export async function streamTask({
  task,
  request,
  reply,
  services,
  base,
}: {
  task: Task;
  request: FastifyRequest;
  reply: FastifyReply;
  services: Services;
  base: string;
}): Promise<FastifyReply> {
  const raw = reply.hijack().raw;
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-request-id": request.id,
  };
  raw.writeHead(200, headers);
  let sent = Number(request.headers["last-event-id"] ?? 0) || 0;
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), heartbeatMs);

  const send = (changed: Task) => {
    if (raw.writableEnded) return;
    if (changed.version > sent) {
      sent = changed.version;
      raw.write(`id: ${changed.version}\nevent: task\ndata: ${JSON.stringify(taskRecord(changed, assetUrls(services, base)))}\n\n`);
    }
    if (isFinal(changed.status)) end();
  };
  const end = () => {
    clearInterval(heartbeat);
    unsubscribe();
    services.closing.removeEventListener("abort", end);
    raw.end();
  };
  const unsubscribe = services.events.subscribe(task.id, send);
  request.socket.once("close", end);
  services.closing.addEventListener("abort", end);
  // What happened between the first look and the subscription is not missed.
  const now = await services.store.task({ id: task.id, account: task.account });
  send(now ?? task);
  return reply;
}
