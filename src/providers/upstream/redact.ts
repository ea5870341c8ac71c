/** The text with every spelling of the secrets blotted out, on one line and short enough for a log. */
export function redact(text: string, secrets: string | readonly string[]): string {
  const spellings = [secrets].flat().flatMap(partsOf).flatMap(spellingsOf);
  const longest = Math.max(0, ...spellings.map((spelling) => spelling.length));
  // As many stars as letters, and a margin: nothing shifts, so no half of a secret is left at the cut.
  let clean = text.slice(0, maxCause + longest);
  for (const spelling of spellings) clean = clean.replaceAll(spelling, "*".repeat(spelling.length));
  return clean.slice(0, maxCause).replace(/\p{Cc}+/gu, " ");
}

// Two keys in one, "access:secret": an upstream may quote either.
function partsOf(secret: string): string[] {
  return [secret, ...(secret.includes(":") ? secret.split(":").filter((part) => part.length >= 8) : [])];
}

// Shorter ones are no secrets, and would tear words apart.
function spellingsOf(secret: string): string[] {
  if (secret.length < 4) return [];
  return [secret, encodeURIComponent(secret.toWellFormed()), String(new URLSearchParams([["", secret]])).slice(1)];
}

const maxCause = 1_000;
