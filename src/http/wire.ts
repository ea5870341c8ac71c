import { Type, type TSchema } from "typebox";

/** Something or null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** Whether a text says anything: one of spaces does not. */
export function isSaid(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "";
}

/** Unix seconds as the task groups show them: 0 when it has not happened. */
export function seconds(ms: number | null): number {
  return ms === null ? 0 : Math.floor(ms / 1000);
}

/** Unix seconds as our own records show them: null when it has not happened. */
export function secondsOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}

export const TaskError = Type.Object({ message: Type.String(), type: Type.String(), param: nullable(Type.String()), code: Type.String() });

const hook = Type.Optional(nullable(Type.String({ maxLength: 2048, description: "an address to be told when the task ends" })));

/** The webhook address, under whatever name the client knows. */
export const Hooks = { notify_hook: hook, notifyHook: hook, callback_url: hook, webhook_url: hook };

/** A moment in a query. */
export const Moment = Type.Optional(Type.String({ pattern: "^[0-9]{1,12}$", description: "unix seconds" }));

export const PageQuery = {
  limit: Type.Optional(Type.String({ pattern: "^([1-9][0-9]?|100)$", description: "1 to 100; 20 unless given" })),
  after: Type.Optional(Type.String({ maxLength: 100, description: "the id of the last one seen" })),
};

/** One more than is shown, to know whether there are more. */
export function pageOf({ limit, after }: { limit?: string; after?: string }): { limit: number; after?: string; shown: number } {
  const shown = Number(limit ?? 20);
  return { limit: shown + 1, shown, ...(after === undefined ? {} : { after }) };
}

/** The shape of every list. */
export function listOf<T>(rows: readonly T[], shown: number): { object: "list"; data: T[]; has_more: boolean } {
  return { object: "list", data: rows.slice(0, shown), has_more: rows.length > shown };
}

export function ListReply<S extends TSchema>(item: S) {
  return Type.Object({ object: Type.Literal("list"), data: Type.Array(item), has_more: Type.Boolean() });
}
