import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import { errorCode } from "../kit/error-code.ts";
import { Refused, type Client } from "./client.ts";
import { cleanText, CommandError, interruptedCode, UsageError } from "./complaint.ts";
import { followTask } from "./follow.ts";
import type { GenerationRequest } from "./generation-request.ts";
import { createProgress } from "./progress-bar.ts";
import { CancelledTask, CreatedTask, FileRecord, TaskRecord } from "./records.ts";
import { checkTarget, resultsOf, saveResult, targetPaths, type Result } from "./result-files.ts";
import type { Shell } from "./shell.ts";
import { cancelSentence } from "./task.ts";
import { formatUsd } from "./wording.ts";

export type Generation = {
  /** What is made, for the progress bar. */
  label: string;
  /** Names the result where it has no title of its own. */
  title: string;
  output: string | undefined;
  connect(): Promise<Client>;
  /** May upload files first; nothing is spent yet. */
  prepare(client: Client, signal: AbortSignal): Promise<GenerationRequest>;
};

/** Makes something from beginning to end: submit, follow, download, report. Ctrl-C cancels the task. */
export async function generate(shell: Shell, generation: Generation): Promise<number> {
  const interrupt = new AbortController();
  const stopListening = shell.onInterrupt(() => {
    // Whoever presses it again does not want to wait for the service: the process then ends as any other.
    stopListening();
    interrupt.abort();
  });
  try {
    return await run(shell, generation, interrupt.signal);
  } finally {
    stopListening();
  }
}

async function run(shell: Shell, generation: Generation, signal: AbortSignal): Promise<number> {
  await checkTarget(shell.cwd, generation.output);
  const client = await generation.connect();
  const request = await generation.prepare(client, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (request === null) {
    shell.note("Stopped before anything was started; it cost nothing.");
    return interruptedCode;
  }
  // Not to be interrupted: only its reply tells which task to cancel.
  const created = await client.ask(CreatedTask, "POST", request.path, { body: request.body });
  const id = created.data ?? created.id ?? "";
  const task = await follow(shell, client, id, generation.label, signal);
  if (task === null) return cancel(shell, client, id);
  if (task.status !== "SUCCESS") throw new CommandError(`${failureOf(task)} (Task ${id} cost ${formatUsd(task.cost_usd)}.)`);
  return save(shell, client, task, generation, signal);
}

function failureOf({ error }: TaskRecord): string {
  return cleanText(error?.message || "The task failed.");
}

async function follow(shell: Shell, client: Client, id: string, label: string, signal: AbortSignal): Promise<TaskRecord | null> {
  const progress = createProgress(shell, label);
  try {
    return await followTask(client, id, { signal, onChange: progress.show });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    progress.end();
  }
}

async function cancel(shell: Shell, client: Client, id: string): Promise<number> {
  try {
    shell.note(cancelSentence(await client.ask(CancelledTask, "POST", `/v1/tasks/${id}/cancel`)));
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "task_finished") throw error;
    const { cost_usd: cost } = await client.ask(TaskRecord, "GET", `/v1/tasks/${id}`);
    shell.note(`Task ${id} had already finished and cost ${formatUsd(cost)}: genway task show ${id}`);
  }
  return interruptedCode;
}

async function save(shell: Shell, client: Client, task: TaskRecord, { title, output }: Generation, signal: AbortSignal): Promise<number> {
  const results = resultsOf(task, title);
  const cost = `Cost ${formatUsd(task.cost_usd)}.`;
  if (output === "-") return printTexts(shell, results, cost);
  const paths = targetPaths(shell.cwd, output, results, task.id);
  try {
    for (const [index, result] of results.entries()) {
      const path = paths[index] ?? "";
      await saveResult(client, result, path, signal);
      shell.print(shown(shell.cwd, path));
    }
  } catch (error) {
    const why = signal.aborted ? "Stopped." : `${error instanceof Error ? error.message : String(error)}.`;
    throw new CommandError(`${why} The task has finished and its results are kept: genway task show ${task.id} (${cost})`, {
      exitCode: signal.aborted ? interruptedCode : 1,
      cause: error,
    });
  }
  const names = paths.map((path) => shown(shell.cwd, path));
  shell.note(names.length > 1 ? `${names.length} songs were made: ${names.join(" and ")}. ${cost}` : cost);
  return 0;
}

/** A path as short as it can be. */
function shown(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") ? path : short;
}

function printTexts(shell: Shell, results: readonly Result[], cost: string): number {
  for (const result of results) {
    if ("text" in result) shell.print(result.text.trimEnd());
  }
  shell.note(cost);
  return 0;
}

/** A picture as a request names it: an address as it is, a file of this machine uploaded first. */
export async function uploadImage(shell: Shell, client: Client, image: string, signal: AbortSignal): Promise<string> {
  if (/^(https?:|data:|file_)/i.test(image)) return image;
  const path = resolve(shell.cwd, image);
  const form = new FormData();
  try {
    if (!(await stat(path)).isFile()) throw new UsageError(`--image ${image} is not a file.`, "generate video");
    form.set("file", await openAsBlob(path), basename(path));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    throw new UsageError(`--image must be an address or a file, and there is no file ${path}.`, "generate video");
  }
  form.set("purpose", "input");
  const { id } = await client.ask(FileRecord, "POST", "/v1/files", { body: form, signal });
  return id;
}
