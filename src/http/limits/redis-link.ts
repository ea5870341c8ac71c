import { Redis } from "ioredis";

/** A connection to Redis or Valkey that may be away: nobody waits long for it, and it comes back by itself. */
export type RedisLink = {
  client: Redis;
  isThere(): boolean;
  /** Tells that a command came to nothing: the link counts as away until a new connection has proved itself. */
  lost(cause: unknown): void;
  close(): void;
};

/** What every name there begins with. */
export const prefix = "genway";

const commandTimeoutMs = 250;
const connectTimeoutMs = 1_000;
const retryMs = 500;
const proofMs = 1_000;

/** `tellContact` hears again and again whether it is there. */
export function openRedis(url: string, tellContact: (isThere: boolean, cause?: unknown) => void): RedisLink {
  let isThere = false;
  let why: unknown = "not connected yet";
  const client = new Redis(url, {
    connectionName: prefix,
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => retryMs,
    // What cannot be asked now is counted here; asked later it would count twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });

  function away(cause: unknown): void {
    isThere = false;
    tellContact(false, cause);
  }

  function lost(cause: unknown): void {
    if (!isThere) return;
    why = cause;
    away(cause);
    client.disconnect(true);
  }

  // One that answers but may not write, such as a replica, is of no use.
  async function prove(): Promise<void> {
    try {
      await client.set(`${prefix}:proof`, "1", "PX", proofMs);
      isThere = true;
      tellContact(true);
    } catch (cause) {
      why = cause;
      client.disconnect(true);
    }
  }

  client.on("error", (cause) => (why = cause));
  client.on("ready", () => void prove());
  client.on("close", () => away(why));
  return {
    client,
    isThere: () => isThere,
    lost,
    close() {
      client.removeAllListeners("close");
      isThere = false;
      client.disconnect();
    },
  };
}
