import { uuidv7 } from "../../kit/ids.ts";
import { Failure } from "../../core/errors.ts";
import type { Account } from "../../core/records.ts";
import type { Services } from "../services.ts";

export const admin = { tag: "admin", errors: "plain", auth: "admin" } as const;

/** Writes what an operator did into the audit log. */
export async function recordAct(
  { store, clock }: Services,
  { actor }: { actor: string },
  act: string,
  subject: string,
  detail: object = {},
): Promise<void> {
  const now = clock();
  await store.recordAudit({ id: uuidv7(now), actor, act, subject, detail: JSON.stringify(detail), now });
}

/** The account that an operator names by id or name. */
export async function namedAccount({ store }: Services, idOrName: string): Promise<Account> {
  const account = await store.account({ idOrName });
  if (account === null) throw new Failure("not_found", { says: `There is no account '${idOrName}'.`, param: "account" });
  return account;
}
