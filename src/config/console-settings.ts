import type { Static } from "typebox";
import type { OidcSettings } from "../http/console/oidc-settings.ts";
import type { Report } from "./problems.ts";
import type { sections } from "./schema.ts";
import { httpProblem, withoutTrailingSlash } from "./web-address.ts";

/** Who may enter the console by an identity provider; null where there is none. */
export function readConsole(console: Static<typeof sections.console>, publicUrl: string | null, report: Report): OidcSettings | null {
  const { oidc } = console;
  if (oidc === undefined) return null;
  const problem = httpProblem(oidc.issuer);
  if (problem !== null) report(["console", "oidc", "issuer"], problem);
  if (publicUrl === null) report(["console", "oidc"], "needs server.public_url, because the identity provider sends people back there");
  const { operators = [], viewers = [], accounts = {} } = oidc;
  if (operators.length + viewers.length + Object.keys(accounts).length === 0)
    report(["console", "oidc"], "lets nobody in: name values of the claim under operators, viewers or accounts");
  return {
    issuer: withoutTrailingSlash(oidc.issuer),
    clientId: oidc.client_id,
    clientSecret: oidc.client_secret ?? null,
    label: oidc.label ?? "Single sign-on",
    scopes: oidc.scopes ?? "openid email profile",
    claim: oidc.claim ?? "groups",
    operators,
    viewers,
    accounts,
  };
}
