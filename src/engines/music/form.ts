import type { Style } from "./style.ts";

export type SectionKind = "intro" | "verse" | "prechorus" | "chorus" | "bridge" | "solo" | "outro";
export type Section = {
  kind: SectionKind;
  startBar: number;
  bars: number;
  /** 0 to 1 and a little more. */ intensity: number;
  /** Chords by step of the scale, one a bar. */ steps: number[];
};

const weights: Record<SectionKind, number> = { intro: 1, verse: 2, prechorus: 1, chorus: 2, bridge: 1.5, solo: 1.5, outro: 1 };
const intensities: Record<SectionKind, number> = {
  intro: 0.4,
  verse: 0.62,
  prechorus: 0.75,
  chorus: 1,
  bridge: 0.55,
  solo: 0.9,
  outro: 0.5,
};
const usual: SectionKind[] = ["intro", "verse", "chorus", "verse", "chorus", "outro"];

/** The order of a song's sections: as the markers of its text say, else the usual one. */
export function kindsOf(lyrics: string): SectionKind[] {
  const marked = [...lyrics.matchAll(/^\s*[[(【](.+?)[\])】]/gmu)].flatMap((match) => kindOf(match[1] ?? ""));
  if (marked.length === 0) return usual;
  const framed: SectionKind[] = [...marked];
  if (framed[0] !== "intro") framed.unshift("intro");
  if (framed.at(-1) !== "outro") framed.push("outro");
  return framed;
}

function kindOf(marker: string): SectionKind[] {
  const name = marker.toLowerCase();
  if (/pre/.test(name)) return ["prechorus"];
  if (/chorus|hook|refrain|drop/.test(name)) return ["chorus"];
  if (/verse|rap|strophe/.test(name)) return ["verse"];
  if (/bridge|break/.test(name)) return ["bridge"];
  if (/solo|interlude/.test(name)) return ["solo"];
  if (/intro|opening/.test(name)) return ["intro"];
  if (/outro|end|fade|coda/.test(name)) return ["outro"];
  return [];
}

/** What follows a point of a song: the sections after the one it lies in, or the two that could lead up to it. */
export function kindsFrom(sections: readonly Section[], bar: number, direction: "after" | "before"): SectionKind[] {
  if (direction === "before") return ["intro", "verse", "prechorus"];
  const here = sections.findLast((section) => section.startBar <= bar);
  const left = sections.filter((section) => section.startBar > bar).map((section) => section.kind);
  if (left.some((kind) => kind === "chorus")) return left;
  return here?.kind === "chorus" || here?.kind === "outro"
    ? ["bridge", "chorus", "verse", "chorus", "outro"]
    : ["chorus", "bridge", "chorus", "outro"];
}

/** Lays the sections out over the bars that fit the wished length. */
export function layOut(kinds: readonly SectionKind[], style: Style, lengthSeconds: number): Section[] {
  const total = Math.max(4, Math.round(lengthSeconds / barSeconds(style)));
  const kept = thinOut(kinds, Math.floor(total / 2));
  const weight = kept.reduce((sum, kind) => sum + weights[kind], 0);
  const bars = kept.map((kind) => Math.max(2, 2 * Math.round((total * weights[kind]) / weight / 2)));
  balance(bars, kept, total);
  let startBar = 0;
  return kept.map((kind, index) => {
    const count = bars[index] ?? 2;
    const turn =
      kind === "chorus" || kind === "solo" ? style.chorus : kind === "bridge" || kind === "prechorus" ? style.bridge : style.verse;
    const steps = Array.from({ length: count }, (_, bar) => turn[bar % turn.length] ?? 0);
    // A song comes home.
    if (kind === "outro") steps[count - 1] = 0;
    const section = { kind, startBar, bars: count, intensity: intensities[kind] * style.drive, steps };
    startBar += count;
    return section;
  });
}

export function barSeconds(style: Style): number {
  return 240 / style.bpm;
}

/** A short song cannot have every section: keep its beginning and its end, and a chorus if there is one. */
function thinOut(kinds: readonly SectionKind[], most: number): SectionKind[] {
  const kept = [...kinds];
  while (kept.length > Math.max(2, most)) {
    const repeated = kept.findLastIndex((kind, index) => index > 0 && index < kept.length - 1 && kept.indexOf(kind) < index);
    const outer = kept.findIndex((kind) => kind === "intro" || kind === "bridge" || kind === "prechorus" || kind === "solo");
    kept.splice(repeated >= 0 ? repeated : outer >= 0 ? outer : kept.length - 1, 1);
  }
  return kept;
}

function balance(bars: number[], kinds: readonly SectionKind[], total: number): void {
  for (let guard = 0; guard < 200; guard++) {
    const off = bars.reduce((sum, count) => sum + count, 0) - total;
    if (Math.abs(off) <= 1) return;
    const order = bars.map((count, index) => ({ index, load: count / weights[kinds[index] ?? "verse"] }));
    const sorted = order.toSorted((a, b) => (off > 0 ? b.load - a.load : a.load - b.load));
    const target = sorted.find(({ index }) => off < 0 || (bars[index] ?? 0) > 2);
    if (target === undefined) return;
    bars[target.index] = (bars[target.index] ?? 2) + (off > 0 ? -2 : 2);
  }
}
