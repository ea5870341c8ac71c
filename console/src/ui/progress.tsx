/** How far something is, 0 to 100; null when that is not known. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return <progress className="progress" aria-label={label} max={100} {...(value !== null && { value: Math.max(value, 2) })} />;
}

/** Where a text will be, while it is loading. */
export function Skeleton({ width = "70%", height }: { width?: string; height?: string }) {
  return <span className="skeleton" aria-hidden="true" style={{ width, ...(height && { height }) }} />;
}

export function Spinner({ label }: { label: string }) {
  return <output className="spinner" aria-label={label} />;
}
