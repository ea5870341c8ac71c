import type { ReactNode } from "react";
import "./stat.css";

/** A row of figures that matter most. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="stats">{children}</dl>;
}

/** One figure with its name, and a remark below it. */
export function Stat({ label, hint, children }: { label: ReactNode; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="stat card">
      <dt className="stat__label">{label}</dt>
      <dd className="stat__value number">{children}</dd>
      {hint && <dd className="stat__hint">{hint}</dd>}
    </div>
  );
}

/** Names and values below one another. */
export function Facts({ facts }: { facts: readonly { name: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value }, index) => (
        <div key={typeof name === "string" ? name : index} className="facts__row">
          <dt>{name}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How much of a limit is used, as a bar. */
export function Meter({ value, most, label }: { value: number; most: number; label: string }) {
  const share = most > 0 ? value / most : 0;
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "accent";
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers do not agree on how the element of that name is styled
    <div className="meter" role="meter" aria-label={label} aria-valuenow={value} aria-valuemin={0} aria-valuemax={most}>
      <div className={`meter__bar meter__bar--${tone}`} style={{ width: `max(${value > 0 ? 3 : 0}px, ${Math.min(share, 1) * 100}%)` }} />
    </div>
  );
}
