const keycap = /(?:^|\n)\s*(?:[1-9]\uFE0F?\u20E3|[1-9][.)])\s*/;

/** The prompts among a task's texts: one each, or several numbered ones in a single text. */
export function promptsOf(texts: readonly string[]): string[] {
  const [only = ""] = texts;
  const parts = texts.length === 1 && keycap.test(only) ? only.split(keycap) : texts;
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The prompts as one text, numbered as this dialect does. */
export function numberedText(texts: readonly string[]): string {
  return promptsOf(texts)
    .map((prompt, at) => `${at + 1}\uFE0F\u20E3 ${prompt}`)
    .join("\n\n");
}
