import pino, { type Logger } from "pino";

/** One line of JSON for each event, on standard output. */
export function createLog(): Logger {
  return pino({ level: process.env["LOG_LEVEL"] ?? "info" });
}
