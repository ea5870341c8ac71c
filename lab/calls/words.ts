/** The words of every reply: each, with the space before it, is one token of o200k_base. */
export const plainWords: readonly string[] = [
  " river",
  " stone",
  " light",
  " morning",
  " garden",
  " window",
  " quiet",
  " paper",
  " silver",
  " mountain",
  " forest",
  " harbor",
  " bridge",
  " letter",
  " summer",
  " winter",
  " music",
  " circle",
  " market",
  " village",
  " ocean",
  " shadow",
  " candle",
  " thunder",
  " copper",
  " meadow",
  " island",
  " lantern",
  " field",
  " cloud",
  " snow",
  " bread",
];

/** The same beyond ASCII, from two to four bytes a character. */
export const unicodeWords: readonly string[] = [
  " 😀",
  " 世界",
  " café",
  " ❤️",
  " 東京",
  " море",
  " 👍",
  " 한국",
  " über",
  " 😊",
  " 山",
  " 日本",
];

export const imageWord = " image";

/** How many tokens a reply has when nobody says otherwise. */
export const usualTokens = 12;
