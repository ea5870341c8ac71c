import { sayDecimal, sayDigits, sayOrdinal, sayWhole, sayYear } from "./number-words.ts";

/** Text as it is read aloud: only Latin letters, apostrophes, spaces and the punctuation that makes a pause. */
export function spellOut(text: string): string {
  let spoken = plainLetters(text);
  spoken = expandShort(spoken);
  spoken = expandNumbers(spoken);
  for (const [sign, word] of signs) spoken = spoken.replaceAll(sign, ` ${word} `);
  // A dot inside a name, as in an address, is spoken.
  spoken = spoken.replace(/(?<=[a-z0-9])\.(?=[a-z])/gi, " dot ");
  return tidy(spoken);
}

/** Letters that no decomposition brings to the Latin alphabet. */
const letterForms: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "th", þ: "th", ı: "i" };

function plainLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, "")
    .replace(/[ßæœøłđðþı]/giu, (letter) => letterForms[letter.toLowerCase()] ?? letter)
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[。．]/g, ". ")
    .replace(/[、，；：]/g, ", ")
    .replace(/[—–―−]/g, (dash) => (dash === "−" ? "-" : ", "))
    .replace(/[^\S\n]+/g, " ")
    .replace(/\n ?(?:\n ?)+/g, ". ")
    .replace(/[\p{C}\s]+/gu, " ");
}

const short: readonly (readonly [RegExp, string])[] = [
  [/\bMrs\./g, "missus"],
  [/\bMr\./g, "mister"],
  [/\bMs\./g, "miss"],
  [/\bDr\./g, "doctor"],
  [/\bProf\./g, "professor"],
  [/\bSt\.(?= [A-Z])/g, "saint"],
  [/\b(?:Jr|jr)\./g, "junior"],
  [/\b(?:Sr|sr)\./g, "senior"],
  [/\bInc\./g, "incorporated"],
  [/\bLtd\./g, "limited"],
  [/\bNo\.(?= ?\d)/g, "number"],
  [/\bvs\.?(?= )/g, "versus"],
  [/\betc\./g, "et cetera"],
  [/\be\.g\./gi, "for example"],
  [/\bi\.e\./gi, "that is"],
  [/\bapprox\./gi, "approximately"],
  [/\ba\.m\.?/gi, "AM"],
  [/\bp\.m\.?/gi, "PM"],
  [/https?:\/\//gi, ""],
];

function expandShort(text: string): string {
  let expanded = text;
  for (const [pattern, word] of short) expanded = expanded.replace(pattern, word);
  // U.S.A. and the like are read letter by letter.
  return expanded.replace(/\b(?:[A-Za-z]\.){2,}/g, (letters) => `${letters.replaceAll(".", "").toUpperCase()} `);
}

const money: Record<string, [one: string, many: string, cents: string]> = {
  $: ["dollar", "dollars", "cents"],
  "€": ["euro", "euros", "cents"],
  "£": ["pound", "pounds", "pence"],
  "¥": ["yen", "yen", "sen"],
};
const units: Record<string, string> = {
  "km/h": "kilometers per hour",
  km: "kilometers",
  cm: "centimeters",
  mm: "millimeters",
  m: "meters",
  kg: "kilograms",
  g: "grams",
  mg: "milligrams",
  ms: "milliseconds",
  s: "seconds",
  kb: "kilobytes",
  mb: "megabytes",
  gb: "gigabytes",
  tb: "terabytes",
  hz: "hertz",
  khz: "kilohertz",
  mhz: "megahertz",
  ghz: "gigahertz",
  "°c": "degrees celsius",
  "°f": "degrees fahrenheit",
};

function expandNumbers(text: string): string {
  return text
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/([$€£¥]) ?(\d+)(?:\.(\d{2})(?!\d))?((?:\.\d+)?)( (?:thousand|million|billion|trillion))?/g, sayMoney)
    .replace(/\b(\d{1,2}):(\d{2})\b/g, (_, hours: string, minutes: string) => ` ${sayWhole(hours)} ${sayMinutes(minutes)} `)
    .replace(/\b(\d+)(?:st|nd|rd|th)\b/gi, (_, digits: string) => ` ${sayOrdinal(digits)} `)
    .replace(
      /(\d) ?(km\/h|km|cm|mm|m|kg|mg|g|ms|s|kb|mb|gb|tb|k?hz|mhz|ghz|°c|°f)\b/gi,
      (_, digit: string, unit: string) => `${digit} ${units[unit.toLowerCase()] ?? unit} `,
    )
    .replace(/(?<![\w.])-(?=\d)/g, " minus ")
    .replace(/(?<![\d.,])(?:1[1-9]|20)\d{2}(?![\d%]|[.,]\d)/g, (digits) => ` ${sayYear(digits)} `)
    .replace(/(\d+)((?:\.\d+){2,})/g, (all: string) => ` ${all.split(".").map(sayWhole).join(" point ")} `)
    .replace(/(\d+)(?:\.(\d+))?/g, (_, whole: string, decimals: string | undefined) => ` ${sayDecimal(whole, decimals ?? "")} `);
}

function sayMoney(_: string, sign: string, whole: string, cents: string | undefined, decimals: string, scale: string | undefined): string {
  const [one, many, small] = money[sign] ?? ["", "", ""];
  if (scale !== undefined) return ` ${sayDecimal(whole, cents ?? decimals.slice(1))}${scale} ${many} `;
  if (whole === "0" && cents !== undefined) return ` ${sayWhole(String(Number(cents)))} ${small} `;
  const rest = cents !== undefined && Number(cents) > 0 ? ` and ${sayWhole(String(Number(cents)))} ${small}` : "";
  return ` ${sayDecimal(whole, decimals.slice(1))} ${whole === "1" ? one : many}${rest} `;
}

function sayMinutes(minutes: string): string {
  if (minutes === "00") return "o'clock";
  return minutes.startsWith("0") ? sayDigits(minutes).replace("zero", "oh") : sayWhole(minutes);
}

const signs: readonly (readonly [string, string])[] = [
  ["&", "and"],
  ["%", "percent"],
  ["+", "plus"],
  ["=", "equals"],
  ["@", "at"],
  ["#", "hash"],
  ["°", "degrees"],
  ["/", "slash"],
  ["\\", "backslash"],
  ["_", " "],
];

/** Brings punctuation to the few marks that the voice knows, one at a time and never alone. */
function tidy(text: string): string {
  return text
    .replace(/[;:()[\]{}<>]/g, ",")
    .replace(/\.{2,}/g, "…")
    .replace(/[^A-Za-z',.!?…\s-]/g, " ")
    .replace(/(?<![A-Za-z])[-']+|[-']+(?![A-Za-z])/g, (found) => (found === "'" ? "" : " "))
    .replace(/\s+/g, " ")
    .replace(/ (?=[,.!?…])/g, "")
    .replace(/,*([.!?…])[,.!?…]*/g, "$1")
    .replace(/,+/g, ", ")
    .replace(/([.!?…])(?=[A-Za-z])/g, "$1 ")
    .replace(/^[\s,.!?…]+/, "")
    .replace(/ {2,}/g, " ")
    .trim();
}
