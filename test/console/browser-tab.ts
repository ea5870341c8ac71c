import { createClient, type CallOptions, type Reply } from "../support/client.ts";

export type SessionRecord = {
  role: string | null;
  name: string | null;
  account: { id: string; name: string } | null;
  csrf: string | null;
  expires_at: number | null;
  local: boolean;
  oidc: string | null;
};

/** A page of the console as far as the service can see it: a cookie that the browser keeps, an origin, and the token of the session. */
export type Tab = {
  session(): Promise<SessionRecord>;
  signIn(key: string): Promise<Reply<SessionRecord>>;
  signOut(): Promise<Reply<SessionRecord>>;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  cookie(): string;
  take(reply: { headers: Headers }): void;
};

export function openTab(url: string, origin = url): Tab {
  const client = createClient(url, null);
  let cookie = "";
  let token = "";

  async function call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const usual = { cookie, origin, "sec-fetch-site": "same-origin", ...(token !== "" && { "x-genway-csrf": token }) };
    const options: CallOptions = { headers: { ...(method === "GET" ? { ...usual, origin: "" } : usual), ...headers } };
    if (method === "GET") delete options.headers?.["origin"];
    const reply = await client.call<T>(method, path, body, options);
    take(reply);
    return reply;
  }

  function take({ headers }: { headers: Headers }): void {
    for (const line of headers.getSetCookie()) if (line.startsWith("genway_session=")) cookie = line.split(";")[0] ?? "";
  }

  async function keep(reply: Reply<SessionRecord>): Promise<Reply<SessionRecord>> {
    token = reply.body.csrf ?? "";
    return reply;
  }

  return {
    session: async () => (await keep(await call("GET", "/console/session"))).body,
    signIn: async (key) => keep(await call("POST", "/console/session", { key })),
    signOut: async () => keep(await call("DELETE", "/console/session")),
    call,
    cookie: () => cookie,
    take,
  };
}
