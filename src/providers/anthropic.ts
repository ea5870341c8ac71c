import { createCallAdapter } from "./call/call.ts";

/** Anthropic's own API; the gateway itself turns the other dialects of chat into this one. */
export const anthropic = createCallAdapter({
  type: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  auth: { header: "x-api-key" },
  headers: { "anthropic-version": "2023-06-01" },
  operations: { messages: { path: "/messages" } },
});
