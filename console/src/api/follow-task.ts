import { client, read } from "./client.ts";
import { followEvents, isHopeless, pause } from "./events.ts";
import { isFinal, type Task } from "./tasks.ts";

// A browser opens six connections to a service that speaks HTTP/1.1, for all of its tabs together: what streams must leave some to the rest.
const mostStreams = 2;
const lookMs = 2_000;
const hiddenLookMs = 5_000;

let streams = 0;

type State = "more" | "end";
type Follower = { id: string; signal: AbortSignal; headers: Record<string, string>; told: (task: Task) => State };

/** Follows a task until it has ended; each state is told. Staff may follow one of another account than the chosen one. */
export async function followTask(id: string, signal: AbortSignal, onTask: (task: Task) => void, account?: string): Promise<void> {
  const told = (task: Task): State => {
    onTask(task);
    return isFinal(task.status) ? "end" : "more";
  };
  const headers: Record<string, string> = account === undefined ? {} : { "x-genway-account": account };
  let state: State = "more";
  while (state === "more" && !signal.aborted) state = await (mayListen() ? listen : look)({ id, signal, headers, told });
}

function mayListen(): boolean {
  return streams < mostStreams && !document.hidden;
}

/** Hears the task's events, until nobody looks at the page. */
async function listen({ id, signal, headers, told }: Follower): Promise<State> {
  const hidden = new AbortController();
  const leave = () => document.hidden && hidden.abort();
  document.addEventListener("visibilitychange", leave);
  streams += 1;
  let state: State = "more";
  try {
    const path = `/v1/tasks/${encodeURIComponent(id)}/events`;
    await followEvents(path, AbortSignal.any([signal, hidden.signal]), ({ data }) => (state = told(JSON.parse(data))), headers);
  } finally {
    streams -= 1;
    document.removeEventListener("visibilitychange", leave);
  }
  return state;
}

/** Asks for the task from time to time, as long as there is no stream for it. */
async function look({ id, signal, headers, told }: Follower): Promise<State> {
  for (let failures = 0; ;) {
    try {
      if (told(await read(client.GET("/v1/tasks/{id}", { params: { path: { id } }, headers, signal }))) === "end") return "end";
      failures = 0;
    } catch (error) {
      if (signal.aborted) return "more";
      if (isHopeless(error, failures++)) throw error;
    }
    await pause(document.hidden ? hiddenLookMs : lookMs, signal);
    if (signal.aborted || mayListen()) return "more";
  }
}
