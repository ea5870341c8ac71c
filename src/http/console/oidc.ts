import type { FastifyReply, FastifyRequest } from "fastify";
import * as client from "openid-client";
import { Type } from "typebox";
import { isLoopbackName } from "../auth.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { isSecure } from "./same-origin.ts";
import type { Proof } from "./sessions.ts";
import { createSealedCookie } from "./sealed-cookie.ts";

const group = { tag: "console", errors: "plain", auth: "open" } as const;

/** What must come back from the identity provider as it was sent. */
const Visit = Type.Object({ state: Type.String(), nonce: Type.String(), verifier: Type.String(), until: Type.Integer() });
const visitMs = 10 * 60_000;
// The way back is a link from another site, with which a stricter cookie would not be sent.
const visitCookie = createSealedCookie("genway_oidc", Visit, { path: "/console/oidc", sameSite: "Lax" });

const rememberMs = 3_600_000;
let known: { of: OidcSettings; at: number; found: Promise<client.Configuration> } | null = null;

/** What the identity provider says about itself, asked for once an hour. */
function discover(settings: OidcSettings, now: number): Promise<client.Configuration> {
  if (known?.of === settings && now - known.at < rememberMs) return known.found;
  const issuer = new URL(settings.issuer);
  // Plain HTTP is for an identity provider on this machine alone.
  const execute = issuer.protocol === "http:" && isLoopbackName(issuer.hostname) ? [client.allowInsecureRequests] : [];
  const found = client.discovery(issuer, settings.clientId, settings.clientSecret ?? undefined, undefined, { execute, timeout: 10 });
  known = { of: settings, at: now, found };
  found.catch(() => (known = null));
  return found;
}

const goThere = operation({
  ...group,
  method: "GET",
  url: "/console/oidc",
  summary: "Sign in to the console by the configured identity provider",
  async run({ base, request, reply }, services) {
    const { oidc: settings } = services.settings();
    if (settings === null) return refuse(reply, "not_configured");
    const now = services.clock();
    const configuration = await discover(settings, now).catch((error: unknown) => {
      services.log.warn({ err: error }, "the identity provider does not answer");
      return null;
    });
    if (configuration === null) return refuse(reply, "unreachable");
    const visit = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      until: now + visitMs,
    };
    visitCookie.set(reply, services, visit, visitMs / 1000, isSecure(request, services));
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${base}/console/oidc/callback`,
      scope: settings.scopes,
      state: visit.state,
      nonce: visit.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: "S256",
    });
    return reply.redirect(url.href);
  },
});

const comeBack = operation({
  ...group,
  method: "GET",
  url: "/console/oidc/callback",
  summary: "Where the identity provider sends people back to",
  async run({ base, request, reply }, services) {
    const { oidc: settings } = services.settings();
    if (settings === null) return refuse(reply, "not_configured");
    const visit = visitCookie.read(request, services);
    visitCookie.clear(reply, isSecure(request, services));
    if (visit === null || visit.until <= services.clock()) return refuse(reply, "expired");
    const claims = await claimsOf(request, base, settings, visit, services);
    if (claims === null) return refuse(reply, "refused");
    const proof = proofOf(claims, settings);
    if (proof === null) return refuse(reply, "not_allowed");
    services.sessions.begin(reply, proof, nameOf(claims), isSecure(request, services));
    return reply.redirect("/console/");
  },
});

type Problem = "expired" | "refused" | "not_allowed" | "not_configured" | "unreachable";

/** People come by a link of their browser: what went wrong is for the console to say. */
function refuse(reply: FastifyReply, why: Problem): FastifyReply {
  return reply.redirect(`/console/sign-in?problem=${why}`);
}

type Claims = Readonly<Record<string, unknown>>;

async function claimsOf(
  request: FastifyRequest,
  base: string,
  settings: OidcSettings,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
  { clock, log }: Services,
): Promise<Claims | null> {
  try {
    const configuration = await discover(settings, clock());
    const tokens = await client.authorizationCodeGrant(configuration, new URL(request.url, base), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    return tokens.claims() ?? null;
  } catch (error) {
    log.warn({ err: error }, "a sign-in by the identity provider failed");
    return null;
  }
}

/** What the claims of a person entitle to; the most that any of their values gives. */
export function proofOf(claims: Claims, { claim, operators, viewers, accounts }: OidcSettings): Proof | null {
  const given = claims[claim];
  const values = (Array.isArray(given) ? given : [given]).filter((value) => typeof value === "string");
  if (values.some((value) => operators.includes(value))) return { by: "oidc", role: "operator", account: null };
  if (values.some((value) => viewers.includes(value))) return { by: "oidc", role: "viewer", account: null };
  const own = values.find((value) => Object.hasOwn(accounts, value));
  return own === undefined ? null : { by: "oidc", role: "client", account: accounts[own] ?? null };
}

function nameOf(claims: Claims): string {
  const name = [claims["email"], claims["preferred_username"], claims["name"], claims["sub"]].find((value) => typeof value === "string");
  return (name ?? "somebody").slice(0, 200);
}

export const oidcOperations = [goThere, comeBack];
