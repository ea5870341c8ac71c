const small = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" "),
  ..."sixteen seventeen eighteen nineteen".split(" "),
];
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const groups = ["", "thousand", "million", "billion", "trillion"];
const irregularOrdinals: Record<string, string> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
/** Longer numbers are read digit by digit, as people do. */
const longestRead = 15;

/** A whole number, given as its digits, in words. */
export function sayWhole(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, "");
  if (plain.length > longestRead || (digits.length > 1 && digits.startsWith("0"))) return sayDigits(digits);
  const words: string[] = [];
  for (let group = Math.ceil(plain.length / 3) - 1; group >= 0; group--) {
    const end = plain.length - group * 3;
    const value = Number(plain.slice(Math.max(0, end - 3), end));
    if (value > 0) words.push(sayHundreds(value), groups[group] ?? "");
  }
  return words.filter((word) => word !== "").join(" ") || "zero";
}

export function sayDigits(digits: string): string {
  return Array.from(digits, (digit) => small[Number(digit)] ?? "").join(" ");
}

/** A number with a decimal point: the part behind it is read digit by digit. */
export function sayDecimal(whole: string, decimals: string): string {
  return decimals === "" ? sayWhole(whole) : `${sayWhole(whole)} point ${sayDigits(decimals)}`;
}

export function sayOrdinal(digits: string): string {
  const words = sayWhole(digits).split(" ");
  const last = words.pop() ?? "";
  return [...words, irregularOrdinals[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(" ");
}

/** Four digits that are likely a year: 1984 is nineteen eighty four, 2005 two thousand five. */
export function sayYear(digits: string): string {
  const century = Number(digits.slice(0, 2));
  const rest = Number(digits.slice(2));
  if (century === 20 && rest < 10) return sayWhole(digits);
  if (rest === 0) return century % 10 === 0 ? sayWhole(digits) : `${sayHundreds(century)} hundred`;
  return `${sayHundreds(century)} ${rest < 10 ? `oh ${sayHundreds(rest)}` : sayHundreds(rest)}`;
}

function sayHundreds(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const words: string[] = [];
  if (hundreds > 0) words.push(small[hundreds] ?? "", "hundred");
  if (rest >= 20) words.push(tens[Math.floor(rest / 10)] ?? "");
  const ones = rest >= 20 ? rest % 10 : rest;
  if (ones > 0) words.push(small[ones] ?? "");
  return words.join(" ");
}
