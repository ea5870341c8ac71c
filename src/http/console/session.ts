import type { FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { starter } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import { mayEnterLocally } from "../auth.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { nullable } from "../wire.ts";
import { isFromOwnPage, isSecure, refuseForgery } from "./same-origin.ts";
import { ownCaller, roleOf } from "./session-caller.ts";
import { roles, type Session } from "./sessions.ts";

const group = { tag: "console", errors: "plain", auth: "open" } as const;

const SessionRecord = Type.Object({
  role: nullable(Type.Enum(roles)),
  name: nullable(Type.String({ description: "whom the audit log names" })),
  account: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  csrf: nullable(Type.String({ description: "to be sent as x-genway-csrf with every change" })),
  expires_at: nullable(Type.Integer()),
  local: Type.Boolean({ description: "local mode on this machine: nobody has to sign in" }),
  oidc: nullable(Type.String({ description: "what to call the way in by an identity provider" })),
  version: Type.String(),
});

/** A session as its owner sees it; one whose key or account is gone is none. */
async function sessionRecord(session: Session | null, services: Services): Promise<Static<typeof SessionRecord>> {
  const { local, loopback, oidc } = services.settings();
  const about = { local: local && loopback, oidc: oidc?.label ?? null, version: services.version };
  const nobody = { role: null, name: null, account: null, csrf: null, expires_at: null, ...about };
  if (session === null) return nobody;
  try {
    const caller = await ownCaller(session, services);
    const account = caller?.account ?? (local ? await services.store.account({ idOrName: starter.name }) : null);
    return {
      role: roleOf(session),
      name: session.name,
      account: account === null ? null : { id: account.id, name: account.name },
      csrf: session.csrf,
      expires_at: Math.floor(session.until / 1000),
      ...about,
    };
  } catch (error) {
    if (error instanceof Failure) return nobody;
    throw error;
  }
}

/** Another page of this machine must not come in by itself. */
function isOperatorHere(request: FastifyRequest, services: Services): boolean {
  const site = request.headers["sec-fetch-site"];
  return mayEnterLocally(request, services) && (site === "same-origin" || site === "none");
}

const getSession = operation({
  ...group,
  method: "GET",
  url: "/console/session",
  summary: "Who is signed in to the console",
  reply: SessionRecord,
  async run({ request, reply }, services) {
    void reply.header("cache-control", "no-store");
    const current = services.sessions.read(request);
    const shown = await sessionRecord(current, services);
    if (shown.role !== null || !isOperatorHere(request, services)) return shown;
    return sessionRecord(services.sessions.begin(reply, { by: "local" }, "local", isSecure(request, services)), services);
  },
});

const signIn = operation({
  ...group,
  method: "POST",
  url: "/console/session",
  summary: "Sign in to the console with an admin key or a client key",
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: SessionRecord,
  async run({ body, request, reply }, services) {
    if (!isFromOwnPage(request, services)) throw new Failure("not_allowed", { says: "Sign in from the console's own page." });
    void reply.header("cache-control", "no-store");
    const key = body.key.trim();
    const isAdmin = await services.isAdminKey(key);
    const proof = isAdmin ? ({ by: "admin", mark: services.adminMark() } as const) : await clientProof(key, request, services);
    const name = proof.by === "admin" ? "admin" : `key ${proof.key}`;
    return sessionRecord(services.sessions.begin(reply, proof, name, isSecure(request, services)), services);
  },
});

async function clientProof(text: string, { ip }: FastifyRequest, { keyRing, inNetworks }: Services) {
  const { key } = await keyRing.resolve(text);
  if (key?.ips && !inNetworks(ip, key.ips)) throw new Failure("not_allowed", { says: "This key may not be used from this address." });
  return { by: "key", key: key?.id ?? "", mark: keyRing.markOf(text) } as const;
}

const signOut = operation({
  ...group,
  method: "DELETE",
  url: "/console/session",
  summary: "Sign out of the console",
  reply: SessionRecord,
  async run({ request, reply }, services) {
    const session = services.sessions.read(request);
    if (session !== null) refuseForgery(request, session, services);
    services.sessions.end(reply, isSecure(request, services));
    return sessionRecord(null, services);
  },
});

export const sessionOperations = [getSession, signIn, signOut];
