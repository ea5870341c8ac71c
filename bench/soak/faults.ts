import type { Offer } from "./offers.ts";

/** What the lab is told to do with an order, and which ends that explains. */
export type Plan = {
  name: string;
  marks: string;
  /** The end may be SUCCESS, or FAILURE with one of these codes. */
  ends: readonly string[];
  /** The answer leaves open whether a job began: it must never be sent a second time blindly. */
  ambiguous: boolean;
};

type Draft = { name: string; marks: (offer: Offer) => string; ends: readonly string[]; weight: number; ambiguous?: true } & {
  /** Whether it makes sense with an offer. */
  fits?: (offer: Offer) => boolean;
};

const mark = (text: string) => () => `[lab:${text}]`;
const isAsked = ({ instant }: Offer) => !instant;
// Midjourney's proxies are sent the prompt with its parameters: the lab would count a first time at each of the two.
const hasSecond = ({ dialects }: Offer) => dialects.length > 1 && dialects.every(({ type }) => type !== "midjourney-proxy");

const unclear = (text: string, weight: number): Draft => ({
  name: text.replace(/ x\d$/, ""),
  marks: mark(text),
  ends: ["SUCCESS", "unknown_outcome"],
  weight,
  ambiguous: true,
});
const spoiledPoll = (text: string): Draft => ({
  name: `poll ${text.replace(/ x\d$/, "")}`,
  marks: mark(`poll=${text}`),
  ends: ["SUCCESS"],
  weight: 1.2,
  fits: isAsked,
});

const drafts: readonly Draft[] = [
  { name: "none", marks: () => "", ends: ["SUCCESS"], weight: 50 },
  { name: "429", marks: mark("429=1 x2"), ends: ["SUCCESS"], weight: 6 },
  { name: "503 with a wait", marks: mark("503=1 x1"), ends: ["SUCCESS"], weight: 3 },
  ...["500 x1", "502 x1", "503 x1", "500=accepted x1", "reset x1", "reset-before x1"].map((text) => unclear(text, 1.2)),
  ...["html x1", "truncated x1", "broken x1", "types x1"].map((text) => unclear(text, 1)),
  unclear("huge x1", 0.1),
  { name: "drip", marks: mark("drip=2"), ends: ["SUCCESS"], weight: 1, fits: isAsked },
  ...["500 x2", "429:1 x1", "reset x1", "html x1", "truncated x1", "broken x1", "types x1", "missing x1"].map(spoiledPoll),
  { name: "no results yet", marks: mark("empty=1"), ends: ["SUCCESS"], weight: 2, fits: isAsked },
  // A link may end before the last file of a result was fetched, again and again.
  { name: "short links", marks: mark("link=0.2"), ends: ["SUCCESS", "upstream_error"], weight: 3 },
  { name: "content refused", marks: mark("refuse=content_policy"), ends: ["content_policy"], weight: 2 },
  { name: "invalid", marks: mark("refuse=invalid"), ends: ["upstream_error"], weight: 1 },
  { name: "no quota", marks: mark("refuse=quota"), ends: ["upstream_error"], weight: 1 },
  { name: "no quota at the first", marks: mark("refuse=quota x1"), ends: ["SUCCESS"], weight: 6, fits: hasSecond },
  { name: "content failed", marks: mark("fail=policy"), ends: ["content_policy"], weight: 2 },
  { name: "job failed", marks: failed, ends: ["upstream_error", "upstream_timeout"], weight: 4, fits: isAsked },
  // Where the result is the answer, a failure is an answer of the kind 5xx.
  { name: "call failed", marks: failed, ends: ["upstream_error", "unknown_outcome"], weight: 3, fits: ({ instant }) => instant },
  {
    name: "429 in an envelope",
    marks: mark("envelope=rate_limit x1"),
    ends: ["SUCCESS"],
    weight: 2,
    fits: ({ dialects }) => dialects.every(({ envelope }) => envelope),
  },
];

function failed({ dialects: [first] }: Offer): string {
  return `[lab:fail=${first?.failures.internal.replaceAll(" ", "%20")}]`;
}

const fates = ["lost", "twice", "late", "forged"] as const;

/** One order's share of trouble. */
export function planFor(offer: Offer, random: () => number): Plan & { fate: string; seconds: number; queueSeconds: number } {
  const open = drafts.filter(({ fits }) => fits?.(offer) ?? true);
  let left = random() * open.reduce((sum, { weight }) => sum + weight, 0);
  const draft = open.find(({ weight }) => (left -= weight) < 0) ?? open[0];
  const fate = random() < 0.4 ? (fates[Math.floor(random() * fates.length)] ?? "sent") : "sent";
  const seconds = Math.round((0.2 + random() * 2.8) * 100) / 100;
  const queueSeconds = Math.round(random() * 50) / 100;
  const told = `${draft?.marks(offer) ?? ""}[lab:seconds=${seconds}][lab:queue=${queueSeconds}][lab:callback=${fate}]`;
  return {
    name: draft?.name ?? "none",
    marks: told,
    ends: draft?.ends ?? [],
    ambiguous: draft?.ambiguous ?? false,
    fate,
    seconds,
    queueSeconds,
  };
}
