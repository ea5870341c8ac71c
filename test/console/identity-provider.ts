import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real identity provider on this machine: whoever types a name is that person, in the groups the test gave them. */
export type IdentityProvider = {
  issuer: string;
  /** Which groups a person is in. */
  groups: Map<string, string[]>;
  /** Walks through its pages as a browser would, as a person; answers where it sends them back to. */
  visit(url: string, person: string): Promise<string>;
  close(): void;
};

export async function startIdentityProvider(clientId: string, clientSecret: string, redirect: string): Promise<IdentityProvider> {
  const groups = new Map<string, string[]>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirect], grant_types: ["authorization_code"] }],
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub", "groups", "email"], email: ["email"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@people.example`, groups: groups.get(id) ?? [] }),
    }),
  });
  server.on("request", provider.callback());
  return { issuer, groups, visit: (url, person) => walk(url, person, issuer), close: () => server.close() };
}

/** Follows redirects and fills in the forms of the provider's own pages until it sends us elsewhere. */
async function walk(url: string, person: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>();
  let next: { url: string; form?: Record<string, string> } = { url };
  for (let step = 0; step < 12; step++) {
    const reply = await fetch(next.url, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(next.form && { method: "POST", body: new URLSearchParams(next.form) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      jar.set(name, value);
    }
    const location = reply.headers.get("location");
    const text = await reply.text();
    if (location === null) {
      const form = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
      const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1] ?? "";
      if (form === undefined) throw new Error(`the identity provider shows neither a form nor a way on: ${text.slice(0, 300)}`);
      next = { url: new URL(form, issuer).href, form: { prompt, login: person, password: "any" } };
      continue;
    }
    const target = new URL(location, next.url).href;
    if (!target.startsWith(issuer)) return target;
    next = { url: target };
  }
  throw new Error("the identity provider never sent us back");
}
