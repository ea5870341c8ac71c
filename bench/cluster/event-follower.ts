import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";

const ranks: Record<string, number> = { SUBMITTED: 0, QUEUED: 1, IN_PROGRESS: 2, SUCCESS: 3, FAILURE: 3 };

export type Follow = { client: Client; key: string; id: string; signal: AbortSignal };

/** Follows the events of a task over any number of connections, and answers its end; null when the signal came first. */
export async function followEvents({ client, key, id, signal }: Follow): Promise<string | null> {
  let last = "0";
  let status = "SUBMITTED";
  const path = `/v1/tasks/${id}/events`;
  while (!signal.aborted) {
    const reply = await client.open({ as: "events", key, method: "GET", path, headers: { "last-event-id": last } }, signal);
    if (reply !== null && reply.status < 500 && reply.status !== 200) {
      client.complain(`${path} was answered ${reply.status}`);
      return null;
    }
    if (reply?.status === 200) client.count("events", "200");
    try {
      for await (const event of eventsIn(reply?.status === 200 ? reply.body : null)) {
        last = event.id;
        if (rankOf(event.status) < rankOf(status)) client.complain(`the events of ${id} went from ${status} to ${event.status}`);
        status = event.status;
        if (rankOf(status) === 3) return status;
      }
    } catch {
      // The connection was lost: the next one goes on after the last event.
    }
    await sleep(reply?.status === 200 ? 200 : 1_000);
  }
  return null;
}

function rankOf(status: string): number {
  return ranks[status] ?? -1;
}

async function* eventsIn(body: ReadableStream<Uint8Array> | null): AsyncGenerator<{ id: string; status: string }> {
  if (body === null) return;
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + piece).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const event = /^id: (\d+)\nevent: task\ndata: (.*)$/m.exec(part);
      if (event === null) continue;
      const { status } = JSON.parse(event[2] ?? "{}") as { status: string };
      yield { id: event[1] ?? "0", status };
    }
  }
}
