import type { Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { Caller } from "../../core/accounts.ts";
import type { Store } from "../../core/ports.ts";
import { uuidv7 } from "../../kit/ids.ts";
import type { Services } from "../services.ts";
import { pictureOf, type Asking, type Order, type SavedModal } from "./asking.ts";
import { pressAgain } from "./follow-ups.ts";
import type { ModalRequest } from "./schemas.ts";

/** Keeps a press until more is said, and answers the id that its task will have. */
export async function openModal(modal: SavedModal, caller: Caller, { store, clock, checkUrl }: Services): Promise<string> {
  if (modal.hook !== null) checkUrl(modal.hook, "notifyHook");
  const now = clock();
  const id = uuidv7(now);
  await store.putModal({ id, account: caller.account.id, body: JSON.stringify(modal), now });
  return id;
}

/** A press that waits or has waited under an id; null where there is none. */
export async function findModal(store: Store, caller: Caller, id: string): Promise<(SavedModal & { submitTime: number }) | null> {
  const found = await store.modal({ id, account: caller.account.id });
  if (found === null) return null;
  const saved: unknown = JSON.parse(found.body);
  const text = (name: keyof SavedModal) => String(Reflect.get(Object(saved), name) ?? "");
  return {
    taskId: text("taskId"),
    customId: text("customId"),
    action: text("action"),
    prompt: text("prompt"),
    state: text("state"),
    hook: text("hook") || null,
    address: text("address"),
    submitTime: found.createdAt,
  };
}

/** The waiting press with what its client says now: it starts under the id that the client knows. */
export async function answerModal(body: Static<typeof ModalRequest>, asking: Asking): Promise<Order & { hook: string | null }> {
  const modal = await findModal(asking.services.store, asking.caller, body.taskId);
  if (modal === null) throw new Failure("task_not_found", { says: "No task of this id waits for a modal.", param: "taskId" });
  const mask = body.maskBase64 ? { mask: await pictureOf(body.maskBase64, "maskBase64", asking) } : {};
  const more = { ...mask, prompt: body.prompt ?? null, state: body.state || modal.state, accountFilter: body.accountFilter ?? null };
  const { draft } = await pressAgain(modal.taskId, modal.customId, more, { ...asking, address: modal.address });
  return { draft: { ...draft, id: body.taskId }, hook: modal.hook };
}
