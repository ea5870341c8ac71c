import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { GenwayError, TaskFailure, type Asset, type Client, type TaskRecord } from "../../client/client.ts";
import type { Bench } from "./tool.ts";

const inlineBytes = 1024 * 1024;
const inlinePictures = 4;

/** Waits for a task for some time, and shows it as it then is; one that has not ended goes on. */
export async function waitContent(id: string, seconds: number, { client, signal, tell }: Bench): Promise<CallToolResult> {
  if (seconds === 0) return taskContent(client, await client.task(id).get());
  try {
    return await taskContent(client, await client.wait(id, { timeoutMs: seconds * 1000, signal, onProgress: tell }));
  } catch (error) {
    if (error instanceof TaskFailure) return taskContent(client, error.task);
    if (error instanceof GenwayError && error.code === "timeout") return taskContent(client, await client.task(id).get());
    throw error;
  }
}

/** A task in words, with links to what it made; small pictures are shown as well. */
export async function taskContent(client: Client, task: TaskRecord): Promise<CallToolResult> {
  const pictures = task.assets.filter(({ mime, bytes }) => mime.startsWith("image/") && bytes <= inlineBytes).slice(0, inlinePictures);
  const content: ContentBlock[] = [
    { type: "text", text: describeTask(task) },
    ...task.assets.map((asset) => linkTo(task, asset)),
    // A picture that lies elsewhere, or is gone, is a link alone.
    ...(await Promise.all(pictures.map((picture) => shown(client, picture).catch(() => [])))).flat(),
  ];
  return { content, structuredContent: { ...task }, ...(task.status === "FAILURE" && { isError: true }) };
}

export function textContent(text: string, structured?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], ...(structured && { structuredContent: structured }) };
}

/** One line for a list. */
export function taskLine({ id, kind, model, status, progress, cost_usd: cost }: TaskRecord): string {
  const state = status === "IN_PROGRESS" ? `${status} ${progress} %` : status;
  return `${id}: ${kind} by ${model}, ${state}, ${cost} USD`;
}

function describeTask(task: TaskRecord): string {
  const { id, kind, model, status, progress, cost_usd: cost, error, note, result } = task;
  if (status === "FAILURE") return `Task ${id} (${kind}) failed: ${error?.message ?? "no reason is known."} [${error?.code ?? "internal"}]`;
  if (status !== "SUCCESS")
    return `Task ${id} (${kind} by ${model}) is ${status}, ${progress} % done. It goes on by itself: call wait_for_task with this task_id.`;
  const lines = [
    `Task ${id} (${kind} by ${model}) is done. It cost ${cost} USD.`,
    ...(note === undefined ? [] : [note]),
    ...wordsOf(result),
  ];
  return lines.join("\n");
}

/** What a result says in words: lyrics, the reply of a chat, a transcript, the songs. */
function wordsOf(result: unknown): string[] {
  if (typeof result !== "object" || result === null) return [];
  if ("songs" in result && Array.isArray(result.songs))
    return result.songs.map((song, index) => `Song ${index + 1}: ${JSON.stringify(song)}`);
  if ("text" in result && typeof result.text === "string")
    return ["title" in result && typeof result.title === "string" ? `${result.title}\n\n${result.text}` : result.text];
  return "choices" in result ? [JSON.stringify(result.choices)] : [];
}

function linkTo({ id, kind }: TaskRecord, { id: assetId, url, mime, bytes, kind: role }: Asset): ContentBlock {
  return {
    type: "resource_link",
    uri: url,
    name: `${role}-${assetId}`,
    mimeType: mime,
    size: bytes,
    description: `${role} of ${kind} task ${id}; the address is signed and expires`,
  };
}

async function shown(client: Client, { url, mime }: Asset): Promise<ContentBlock[]> {
  const bytes = await (await client.open(url)).arrayBuffer();
  return [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: mime }];
}
