import { createHmac, timingSafeEqual } from "node:crypto";

/** Names one attempt at a task in an address, so that nobody but we can make such a name. */
export type CallbackTokens = {
  make(provider: string, taskId: string, attempt: number): string;
  /** The attempt that a token was made for; null where it was not made by us. */
  read(provider: string, token: string): { taskId: string; attempt: number } | null;
  /** What the messages to that address may be signed with. */
  secretOf(taskId: string, attempt: number): string;
};

const tokenBytes = 33;

export function createCallbackTokens(key: Buffer): CallbackTokens {
  const digest = (...parts: (string | number)[]) => createHmac("sha256", key).update(JSON.stringify(parts)).digest();

  function make(provider: string, taskId: string, attempt: number): string {
    const id = Buffer.from(taskId.replaceAll("-", ""), "hex");
    return Buffer.concat([id, Buffer.from([attempt]), digest("token", provider, taskId, attempt).subarray(0, 16)]).toString("base64url");
  }

  return {
    make,
    read(provider, token) {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length !== tokenBytes) return null;
      const taskId = bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
      const attempt = bytes[16] ?? 0;
      return timingSafeEqual(bytes, Buffer.from(make(provider, taskId, attempt), "base64url")) ? { taskId, attempt } : null;
    },
    secretOf: (taskId, attempt) => digest("secret", taskId, attempt).toString("hex"),
  };
}
