/** The `code` that system and library errors carry, such as "ENOENT"; empty where there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
