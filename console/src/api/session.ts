import type { QueryClient } from "@tanstack/react-query";
import { send } from "./client.ts";

export type Role = "operator" | "viewer" | "client";

/** Who looks at the console, as `/console/session` tells. */
export type Session = {
  role: Role | null;
  /** Who it is, where an identity provider told. */
  name: string | null;
  account: { id: string; name: string } | null;
  csrf: string | null;
  expires_at: number | null;
  local: boolean;
  /** What the button of the identity provider says; null when there is none. */
  oidc: string | null;
  version: string;
  /** Somebody was signed in here until now. */
  hasEnded?: boolean;
};

/** Asked once; again only when a request is refused for want of a session. */
export const sessionQuery = {
  queryKey: ["session"],
  queryFn: async ({ client }: { client: QueryClient }): Promise<Session> => {
    const before = client.getQueryData<Session>(["session"]);
    const session = await read(await send("/console/session"));
    return { ...session, hasEnded: session.role === null && (before?.role ?? null) !== null };
  },
  staleTime: Infinity,
};

export async function signIn(key: string): Promise<Session> {
  const headers = { "content-type": "application/json" };
  return read(await send("/console/session", { method: "POST", headers, body: JSON.stringify({ key }) }));
}

export async function signOut(): Promise<void> {
  await send("/console/session", { method: "DELETE" });
}

function read(response: Response): Promise<Session> {
  return response.json();
}
