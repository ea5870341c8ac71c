const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element of a name in a flat XML answer; empty where there is none. */
export function textOf(xml: string, name: string): string {
  return unescapeXml(partsOf(xml, name)[0] ?? "");
}

/** The insides of all elements of a name, as they stand; elements of that name must not lie in one another. */
export function partsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, "g"))].map(([, inside = ""]) => inside);
}

/** A text as it may stand in an element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&${sign === "&" ? "amp" : sign === "<" ? "lt" : "gt"};`);
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
