import type { QueryClient } from "@tanstack/react-query";
import { send, type Reply } from "./client.ts";

/** Who looks at the console, as the service tells. */
export type Session = Reply<"/console/session"> & { /** Somebody was signed in here until now. */ hasEnded?: boolean };
export type Role = NonNullable<Session["role"]>;

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
