const names = new Intl.DisplayNames("en", { type: "language" });

/** Where recognisers of speech have another name than the rest of the world. */
const usual: ReadonlyMap<string, string> = new Map([
  ["bn", "bengali"],
  ["jw", "javanese"],
  ["mi", "maori"],
  ["my", "myanmar"],
  ["nn", "nynorsk"],
  ["tl", "tagalog"],
]);

/** The English name of a language by its code, as transcripts have it; an unknown code stays. */
export function languageName(code: string): string {
  return usual.get(code) ?? (names.of(code) ?? code).toLowerCase();
}
