/** A colour by hue (degrees), saturation and lightness (0 to 1): the form in which moods and times of day are easy to say. */
export type Colour = { h: number; s: number; l: number };

export function colour(h: number, s: number, l: number): Colour {
  return { h: ((h % 360) + 360) % 360, s: clamp(s), l: clamp(l) };
}

export function css(tone: Colour, alpha = 1): string {
  const { h, s, l } = colour(tone.h, tone.s, tone.l);
  const base = `${h.toFixed(1)}, ${(s * 100).toFixed(1)}%, ${(l * 100).toFixed(1)}%`;
  return alpha >= 1 ? `hsl(${base})` : `hsla(${base}, ${Math.max(0, alpha).toFixed(3)})`;
}

/** Mixes two colours as light does, so that haze between two hues does not invent a third; `share` is how much of the second is in it. */
export function blend(from: Colour, to: Colour, share: number): Colour {
  const [r1, g1, b1] = channels(from);
  const [r2, g2, b2] = channels(to);
  return fromChannels(r1 + (r2 - r1) * share, g1 + (g2 - g1) * share, b1 + (b2 - b1) * share);
}

export function lighten(base: Colour, by: number): Colour {
  return colour(base.h, base.s, base.l + by);
}

/** Turns the hue by the short way round the wheel and leaves the lightness alone. */
export function tint(from: Colour, hue: number, share: number): Colour {
  const turn = ((hue - from.h + 540) % 360) - 180;
  return colour(from.h + turn * share, from.s + (Math.max(from.s, 0.55) - from.s) * share, from.l);
}

function channels({ h, s, l }: Colour): [number, number, number] {
  const reach = s * Math.min(l, 1 - l);
  const at = (offset: number): number => {
    const sector = (offset + h / 30) % 12;
    return l - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1));
  };
  return [at(0), at(8), at(4)];
}

function fromChannels(r: number, g: number, b: number): Colour {
  const high = Math.max(r, g, b);
  const low = Math.min(r, g, b);
  const l = (high + low) / 2;
  const span = high - low;
  if (span < 1e-6) return colour(0, 0, l);
  const h = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return colour(h * 60, span / (1 - Math.abs(2 * l - 1)), l);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
