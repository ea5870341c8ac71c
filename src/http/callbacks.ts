import { Type } from "typebox";
import { mebibyte, operation } from "./operation.ts";

const hear = operation({
  method: "POST",
  url: "/callbacks/:provider/:token",
  tag: "callbacks",
  summary: "Hear from an upstream that a job has changed",
  errors: "plain",
  auth: "open",
  params: Type.Object({ provider: Type.String(), token: Type.String() }),
  reply: Type.Unknown(),
  bodyLimit: 8 * mebibyte,
  rawBody: true,
  run({ params, request }, { callbacks }) {
    const [path = "", query = ""] = request.url.split("?", 2);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    );
    const body = request.rawBody ?? new Uint8Array();
    return callbacks.receive(params.provider, params.token, { method: request.method, path, query, headers, body });
  },
});

export const callbackOperations = [hear];
