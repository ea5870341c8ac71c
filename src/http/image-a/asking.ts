import type { Caller } from "../../core/accounts.ts";
import type { Extras, InputFile } from "../../core/kinds.ts";
import type { Draft } from "../../core/plan.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import type { Services } from "../services.ts";

/** Who asks, and by which address: its prefix may name the speed wanted. */
export type Asking = { caller: Caller; services: Services; address: string };

/** A press that waits for its client to say more. */
export type SavedModal = {
  taskId: string;
  customId: string;
  action: string;
  prompt: string;
  state: string;
  hook: string | null;
  /** The address it was pressed at. */
  address: string;
};

/** What a create of this group asks for; with `modal`, its client must say more before it starts. */
export type Order = { draft: Draft; modal?: SavedModal };

/** Fields that every create has. */
export type Given = { state?: string | null; accountFilter?: object | null };

/** The model of a request: this dialect names no other. */
export function modelOf({ botType }: { botType?: string | null }): string {
  return botType === "NIJI_JOURNEY" ? "niji" : "midjourney";
}

/** What else is kept with a task: shown in its record, or passed on to upstreams of this dialect. */
export function dialectWishes(given: Given, asking: Asking, more: Partial<Extras>): { midjourney: Extras } {
  const all: [string, Extras[string] | undefined][] = [
    ["state", given.state ?? undefined],
    ["mode", modeOf(given, asking.address)],
    ...Object.entries(more),
  ];
  return { midjourney: Object.fromEntries(all.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]]))) };
}

function modeOf({ accountFilter }: Given, address: string): string | undefined {
  const prefix = /^\/mj-(fast|relax|turbo)\//.exec(address)?.[1];
  if (prefix !== undefined) return prefix.toUpperCase();
  const modes: unknown = Reflect.get(accountFilter ?? {}, "modes");
  const first: unknown = Array.isArray(modes) ? modes[0] : undefined;
  return typeof first === "string" && /^(fast|relax|turbo)$/i.test(first) ? first.toUpperCase() : undefined;
}

/** A prompt as it was written, with its parameters. */
export function wholePrompt({ prompt, midjourney }: { prompt: string; midjourney?: Extras }): string {
  return String(midjourney?.["prompt"] ?? prompt);
}

/** The beginnings of base64 that tell a picture's format. */
const beginnings = { iVBORw0KGgo: "png", "/9j/": "jpeg", UklGR: "webp", R0lGOD: "gif" } as const;

/** Reads how a request names a picture: clients of this dialect also send base64 without saying what it is. */
export async function pictureOf(text: string, param: string, { caller, services }: Asking): Promise<InputFile> {
  const format = Object.entries(beginnings).find(([start]) => text.startsWith(start))?.[1];
  const file = inputFile(format === undefined ? text : `data:image/${format};base64,${text}`, param, services.checkUrl);
  await checkUpload(file, param, caller, services.store);
  return file;
}
