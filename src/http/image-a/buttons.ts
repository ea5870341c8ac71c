import type { Button, Extras, ImageAct, ImageInput } from "../../core/kinds.ts";
import type { Catalog } from "../../core/routing.ts";
import type { Task, TaskResult } from "../../core/task.ts";
import { promptsOf } from "./texts.ts";
import { readButton, type Press } from "./press.ts";

/** A button as clients see it. */
export type ShownButton = { customId: string; emoji: string; label: string; type: number; style: number };
/** A press, and the upstream's own name of the button where it has one. */
export type Pressed = { press: Press; button: string | null };

type Offer = Pressed & { shown: ShownButton };
type Pictures = Extract<TaskResult, { kind: "image" }>;

/** Whether a model can do something with pictures. */
export type Able = (act: ImageAct) => boolean;

/** What can be done next with a task, as far as its model is able to. */
export function shownButtons(task: Task, able: Able): ShownButton[] {
  return offersOf(task).flatMap(({ press, shown }) => (able(press.act) ? [shown] : []));
}

/** What a client asks for by the id of a button it was shown; null where the task has no such button. */
export function pressedButton(task: Task, customId: string): Pressed | null {
  return offersOf(task).find(({ shown }) => shown.customId === customId) ?? null;
}

/** The same where a client names what it wants and which picture. */
export function pressedChange(task: Task, action: string, place: number | null): Pressed | null {
  return offersOf(task).find(({ press }) => press.action === action && press.place === place) ?? null;
}

/** What the providers of a model can do, all together. */
export function ableBy(catalog: Catalog, name: string): Able {
  const model = catalog.find("image", name);
  const acts = new Set(
    model?.routes.flatMap((route) => {
      const limits = catalog.provider(route.provider)?.provider.tasks?.serves.image?.(route.model);
      return limits === undefined ? [] : (model.limits?.acts ?? limits.acts ?? ["generate" as const]);
    }),
  );
  return (act) => acts.has(act);
}

/** The id of the button of ours that asks for what an input asks; null where there is none. */
export function buttonOf(input: ImageInput, taskId: string): string | null {
  const wished = input.midjourney?.["action"];
  const { zoom, direction }: Partial<Extras> = input.extras ?? {};
  const button = soloButtons.find(({ id }) => {
    const press = readButton(id);
    if (press === null || press.action !== wished || press.act !== input.act) return false;
    return press.zoom === zoom && press.direction === direction && press.strength === input.strength;
  });
  return button === undefined ? null : `${button.id}::${taskId}`;
}

function offersOf(task: Task): Offer[] {
  const { result } = task;
  if (result?.kind !== "image" || task.kind !== "image") return [];
  const { act, count } = task.input;
  // What was read off a picture or a prompt is ours to go on from; nobody else need be asked.
  const own = act === "describe" ? textButtons("PicReader", result) : act === "shorten" ? textButtons("PromptAnalyzer", result) : null;
  const isOurs = own !== null || result.buttons.length === 0;
  const buttons = own ?? (isOurs ? pictureButtons(result, count) : result.buttons);
  const taken = new Set<string>();
  return buttons.flatMap(({ id, label, emoji }, index) => {
    const press = readButton(id);
    if (press === null) return [];
    const masked = isOurs ? `${id}::${task.id}` : maskedButton(id, task.id);
    const customId = taken.has(masked) ? `${masked}::${index}` : masked;
    taken.add(customId);
    return [{ press, button: isOurs ? null : id, shown: { customId, emoji, label, type: 2, style: 2 } }];
  });
}

/** An upstream's name of a button as clients see it: the ids inside are not for them. */
export function maskedButton(name: string, taskId: string): string {
  return name
    .split("::")
    .map((part, at) =>
      at < 3 && part.length <= 32 && /^[a-z]+(_[a-z0-9]+)*$/i.test(part) ? part : /^(\d{1,3}|SOLO)$/.test(part) ? part : taskId,
    )
    .join("::");
}

function textButtons(name: string, { texts }: Pictures): Button[] {
  return keycaps.slice(0, promptsOf(texts).length).map((emoji, at) => ({ id: `MJ::Job::${name}::${at + 1}`, label: "", emoji }));
}

const keycaps = ["1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣"];

function pictureButtons({ pictures, grid }: Pictures, asked: number): Button[] {
  if (pictures.length === 0) return [];
  if (grid === null && pictures.length === 1) return soloButtons;
  // An upstream may give all pictures as one.
  const count = Math.min(pictures.length === 1 ? asked : pictures.length, 4);
  const numbered = (name: string, letter: string) =>
    Array.from({ length: count }, (_, at) => ({ id: `MJ::JOB::${name}::${at + 1}`, label: `${letter}${at + 1}`, emoji: "" }));
  return [...numbered("upsample", "U"), { id: "MJ::JOB::reroll::0", label: "", emoji: "🔄" }, ...numbered("variation", "V")];
}

const soloButtons: Button[] = [
  { id: "MJ::JOB::low_variation::1", label: "Vary (Subtle)", emoji: "🪄" },
  { id: "MJ::JOB::high_variation::1", label: "Vary (Strong)", emoji: "🪄" },
  { id: "MJ::Inpaint::1", label: "Vary (Region)", emoji: "🖌️" },
  { id: "MJ::Outpaint::50::1", label: "Zoom Out 2x", emoji: "🔍" },
  { id: "MJ::Outpaint::75::1", label: "Zoom Out 1.5x", emoji: "🔍" },
  { id: "MJ::CustomZoom", label: "Custom Zoom", emoji: "🔍" },
  { id: "MJ::JOB::pan_left::1", label: "", emoji: "⬅️" },
  { id: "MJ::JOB::pan_right::1", label: "", emoji: "➡️" },
  { id: "MJ::JOB::pan_up::1", label: "", emoji: "⬆️" },
  { id: "MJ::JOB::pan_down::1", label: "", emoji: "⬇️" },
];
