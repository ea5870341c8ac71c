import type { FastifyRequest } from "fastify";
import { starter, type Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { isSafe, refuseForgery } from "./same-origin.ts";
import type { Role, Session } from "./sessions.ts";

/** What somebody with a session may see. */
export function roleOf({ proof }: Session): Role {
  if (proof.by === "oidc") return proof.role;
  return proof.by === "key" ? "client" : "operator";
}

/** Who is asking by way of a session; throws when they may not. Null where the operation belongs to no account. */
export async function sessionCaller(
  request: FastifyRequest,
  session: Session,
  { auth }: Operation,
  services: Services,
): Promise<Caller | null> {
  refuseForgery(request, session, services);
  const role = roleOf(session);
  if (role === "viewer" && !isSafe(request)) throw new Failure("not_allowed", { says: "You may look, but not change anything." });
  if (auth === "admin") {
    if (role === "client") throw new Failure("not_allowed", { says: "This operation is for operators." });
    request.actor = session.name;
    return null;
  }
  return ownCaller(session, services) ?? onBehalf(request, services);
}

/** The caller a session stands for by itself: the owner of a key, or of an account by the word of an identity provider. */
export function ownCaller({ proof }: Session, services: Services): Promise<Caller> | null {
  if (proof.by === "key") return services.keyRing.resolveId(proof.key, proof.mark);
  if (proof.by === "oidc" && proof.role === "client") return accountCaller(services, proof.account ?? "");
  return null;
}

/** Operators have no account: they name the one they ask for. */
async function onBehalf({ headers }: FastifyRequest, services: Services): Promise<Caller> {
  const named = headers["x-genway-account"];
  if (typeof named === "string" && named !== "") return accountCaller(services, decoded(named));
  if (services.settings().local) return accountCaller(services, starter.name);
  throw new Failure("invalid_request", {
    says: "Name the account that this is for in the header x-genway-account.",
    param: "x-genway-account",
  });
}

async function accountCaller({ store }: Services, idOrName: string): Promise<Caller> {
  const account = await store.account({ idOrName });
  if (account === null) throw new Failure("not_found", { says: `There is no account '${idOrName}'.`, param: "x-genway-account" });
  return { account, key: null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
