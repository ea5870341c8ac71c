import { refusalOf } from "./genway-error.ts";

/** The data of a reply; throws GenwayError when it is a refusal. */
export async function unwrap<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked;
  if (!response.ok || data === undefined) throw refusalOf(response, error);
  return data;
}
