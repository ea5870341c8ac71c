import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";

/** Makes texts unreadable and unchangeable for whoever carries them. */
export type Sealer = {
  sealCookie(text: string): string;
  /** Throws when the text was not sealed here. */
  openCookie(sealed: string): string;
};

export type SealedCookie<T> = {
  /** What the browser brings; null where that is nothing of ours. */
  read(request: FastifyRequest, sealer: Sealer): T | null;
  set(reply: FastifyReply, sealer: Sealer, value: T, seconds: number, isSecure: boolean): void;
  clear(reply: FastifyReply, isSecure: boolean): void;
};

/** A value that a browser keeps for us and cannot read. */
export function createSealedCookie<S extends TSchema>(
  name: string,
  schema: S,
  { path, sameSite }: { path: string; sameSite: "Strict" | "Lax" },
): SealedCookie<Static<S>> {
  const write = (reply: FastifyReply, value: string, seconds: number, isSecure: boolean) => {
    const secure = isSecure ? "; Secure" : "";
    const cookie = `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`;
    void reply.header("set-cookie", [...settled(reply), cookie]);
  };
  return {
    read({ headers }, sealer) {
      const sealed = valueOf(headers.cookie ?? "", name);
      if (sealed === "") return null;
      try {
        const value: unknown = JSON.parse(sealer.openCookie(sealed));
        return Value.Check(schema, value) ? value : null;
      } catch {
        return null;
      }
    },
    set: (reply, sealer, value, seconds, isSecure) => write(reply, sealer.sealCookie(JSON.stringify(value)), seconds, isSecure),
    clear: (reply, isSecure) => write(reply, "", 0, isSecure),
  };
}

function settled(reply: FastifyReply): string[] {
  const header = reply.getHeader("set-cookie");
  return header === undefined ? [] : [header].flat().map(String);
}

function valueOf(header: string, name: string): string {
  const start = `${name}=`;
  const part = header.split(";").find((text) => text.trimStart().startsWith(start));
  return part?.trim().slice(start.length) ?? "";
}
