import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { starter, type Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import { sessionCaller } from "./console/session-caller.ts";
import type { Operation } from "./operation.ts";
import type { Services } from "./services.ts";

/** Who is asking; throws when that is nobody, or somebody who may not. */
export async function authenticate(request: FastifyRequest, operation: Operation, services: Services): Promise<Caller | null> {
  const { auth, scope } = operation;
  if (auth === "open") return null;
  const text = presentedKey(request);
  const session = text === null && request.headers.cookie !== undefined ? services.sessions.read(request) : null;
  if (session !== null && (session.proof.by !== "local" || mayEnterLocally(request, services))) {
    const caller = await sessionCaller(request, session, operation, services);
    if (caller !== null) refuseKey(caller, request, scope, services);
    return caller;
  }
  if (auth === "admin") {
    if (text === null) throw new Failure("invalid_key", { says: "This operation needs the admin key." });
    if (await services.isAdminKey(text)) return null;
    await services.keyRing.resolve(text);
    throw new Failure("not_allowed", { says: "This operation needs the admin key." });
  }
  if (text === null) return anonymous(request, auth, services);
  const caller = await services.keyRing.resolve(text);
  refuseKey(caller, request, scope, services);
  return caller;
}

/** Throws where a key is limited to other addresses or groups. */
function refuseKey({ key }: Caller, { ip }: FastifyRequest, scope: string | undefined, { inNetworks }: Services): void {
  if (key?.ips && !inNetworks(ip, key.ips)) throw new Failure("not_allowed", { says: "This key may not be used from this address." });
  if (key?.scopes && scope !== undefined && !key.scopes.includes(scope))
    throw new Failure("not_allowed", { says: `This key is limited to: ${key.scopes.join(", ")}.` });
}

const keyHeaders = ["x-api-key", "mj-api-secret", "api-key"];

/** The key that a request shows, in any of the ways clients know. */
export function presentedKey({ headers }: FastifyRequest): string | null {
  const authorization = headers.authorization?.trim();
  if (authorization !== undefined && authorization !== "") return authorization.replace(/^bearer(\s+|$)/i, "").trim();
  for (const name of keyHeaders) {
    const value = headers[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

async function anonymous(request: FastifyRequest, auth: Operation["auth"], services: Services): Promise<Caller> {
  const { anonymousAccount } = services.settings();
  if (auth === "client" && anonymousAccount !== null) {
    const account = await services.store.account({ idOrName: anonymousAccount });
    if (account !== null) return { account, key: null };
  }
  if (auth === "client" && mayEnterLocally(request, services)) {
    const account = await services.store.account({ idOrName: starter.name });
    if (account !== null) return { account, key: null };
  }
  throw new Failure("invalid_key");
}

/** In local mode whoever sits at this machine needs no key. */
export function mayEnterLocally(request: FastifyRequest, { settings }: Services): boolean {
  const { local, loopback } = settings();
  return local && loopback && isFromThisMachine(request);
}

/** Peer and Host are both this machine, and no page of another site is behind it. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { host, origin } = request.headers;
  if (!isLoopbackName(request.socket.remoteAddress ?? "") || host === undefined || !isLoopbackName(hostnameOf(`http://${host}`)))
    return false;
  if (request.headers["sec-fetch-site"] === "cross-site") return false;
  return origin === undefined || isLoopbackName(hostnameOf(origin));
}

function hostnameOf(url: string): string {
  return (URL.parse(url)?.hostname ?? "").replace(/^\[|\]$/g, "");
}

/** True for names and addresses that only mean this machine. */
export function isLoopbackName(name: string): boolean {
  const plain = name.replace(/^::ffff:/, "");
  return plain === "localhost" || plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
