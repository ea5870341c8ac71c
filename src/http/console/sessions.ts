import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { sameHash } from "../../core/accounts.ts";
import type { Clock } from "../../core/ports.ts";
import { randomText } from "../../kit/ids.ts";
import { createSealedCookie, type Sealer } from "./sealed-cookie.ts";

export const roles = ["operator", "viewer", "client"] as const;
export type Role = (typeof roles)[number];

/** How somebody showed who they are; what that rests on must still hold whenever the session is used. */
const Proof = Type.Union([
  Type.Object({ by: Type.Literal("local") }),
  Type.Object({ by: Type.Literal("admin"), mark: Type.String() }),
  Type.Object({ by: Type.Literal("key"), key: Type.String(), mark: Type.String() }),
  Type.Object({ by: Type.Literal("oidc"), role: Type.Enum(roles), account: Type.Union([Type.String(), Type.Null()]) }),
]);
export type Proof = Static<typeof Proof>;

const Session = Type.Object({
  proof: Proof,
  /** Whom the audit log names. */
  name: Type.String(),
  csrf: Type.String(),
  until: Type.Integer(),
});
export type Session = Static<typeof Session>;

export type Sessions = {
  /** The session a request comes with; null where there is none that still holds. */
  read(request: FastifyRequest): Session | null;
  /** Gives the browser a session. */
  begin(reply: FastifyReply, proof: Proof, name: string, isSecure: boolean): Session;
  end(reply: FastifyReply, isSecure: boolean): void;
};

type Needs = {
  clock: Clock;
  sealer: Sealer;
  /** Changes with the admin key. */
  adminMark(): string;
};

const lifetimeMs = 12 * 3_600_000;
const cookie = createSealedCookie("genway_session", Session, { path: "/", sameSite: "Strict" });

/** Sessions live in a sealed cookie, so that every node knows them; they end with what they rest on, or after twelve hours. */
export function createSessions({ clock, sealer, adminMark }: Needs): Sessions {
  return {
    read(request) {
      const session = cookie.read(request, sealer);
      if (session === null || session.until <= clock()) return null;
      return session.proof.by === "admin" && !sameHash(session.proof.mark, adminMark()) ? null : session;
    },
    begin(reply, proof, name, isSecure) {
      const session: Session = { proof, name, csrf: randomText(32), until: clock() + lifetimeMs };
      cookie.set(reply, sealer, session, lifetimeMs / 1000, isSecure);
      return session;
    },
    end: cookie.clear,
  };
}
