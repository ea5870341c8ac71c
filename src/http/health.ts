import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import { isFromThisMachine, presentedKey } from "./auth.ts";
import { operation } from "./operation.ts";

const group = { tag: "health", errors: "plain", auth: "open" } as const;

const health = operation({
  ...group,
  method: "GET",
  url: "/health",
  summary: "Whether the process runs",
  reply: Type.Object({ status: Type.String(), version: Type.String() }),
  run: async (_ask, { version }) => ({ status: "ok", version }),
});

const ready = operation({
  ...group,
  method: "GET",
  url: "/ready",
  summary: "Whether requests can be served: store, dispatcher, disk; and what else an operator should know",
  reply: Type.Object({ status: Type.String(), checks: Type.Record(Type.String(), Type.String()) }),
  async run({ reply }, services) {
    const { ready: isReady, checks } = await services.readiness();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", checks });
  },
});

const metrics = operation({
  ...group,
  method: "GET",
  url: "/metrics",
  summary: "Figures for Prometheus (admin key, or this machine in local mode)",
  async run({ request, reply }, services) {
    const key = presentedKey(request);
    const { local, loopback } = services.settings();
    const allowed = key === null ? local && loopback && isFromThisMachine(request) : await services.isAdminKey(key);
    if (!allowed) throw new Failure(key === null ? "invalid_key" : "not_allowed", { says: "This operation needs the admin key." });
    const { type, text } = await services.metrics();
    return reply.type(type).send(text);
  },
});

export const healthOperations = [health, ready, metrics];
