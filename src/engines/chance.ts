/** A repeatable source of choices: the same seeds always give the same sequence. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number;
  range(low: number, high: number): number;
  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number;
  maybe(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** An independent sequence that depends on this one's seeds and the label alone, not on what was drawn before. */
  branch(label: string | number): Chance;
};

export function createChance(...seeds: (string | number)[]): Chance {
  const name = seeds.join("\u001f");
  let a = hashText(name);
  let b = hashText(`${name}~`);
  function next(): number {
    // A multiply-with-carry pair: cheap, with a period far beyond what one picture or song draws.
    a = (36969 * (a & 0xffff) + (a >>> 16)) >>> 0;
    b = (18000 * (b & 0xffff) + (b >>> 16)) >>> 0;
    return mixBits((a << 16) ^ b) / 0x1_0000_0000;
  }
  return {
    next,
    range: (low, high) => low + (high - low) * next(),
    whole: (low, high) => low + Math.floor((high - low + 1) * next()),
    maybe: (probability) => next() < probability,
    pick: (list) => list[Math.floor(list.length * next())] ?? list[0],
    branch: (label) => createChance(name, label),
  };
}

/** A number from 0 to 2³² − 1 that spreads even similar texts far apart. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // Zero would leave the generator above standing still.
  return mixBits(hash) || 1;
}

function mixBits(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (bits ^ (bits >>> 16)) >>> 0;
}
