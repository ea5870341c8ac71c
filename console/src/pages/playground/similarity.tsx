import { formatNumber, t } from "../../i18n/translate.ts";

/** How near texts are to each other: the cosine of each pair. */
export function Similarity({ texts, vectors }: { texts: readonly string[]; vectors: readonly (readonly number[])[] }) {
  const size = vectors[0]?.length ?? 0;
  return (
    <div className="stack stack--s">
      <p className="muted small">{t("playground.vectors", { n: vectors.length, size })}</p>
      {vectors.length > 1 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        <section className="table-scroll" tabIndex={0} aria-label={t("playground.similarity")}>
          <table className="matrix">
            <caption className="visually-hidden">{t("playground.similarity")}</caption>
            <thead>
              <tr>
                <td aria-hidden="true" />
                {vectors.map((_vector, column) => (
                  <th key={texts[column]} scope="col" title={texts[column]} className="number">
                    {column + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {vectors.map((vector, row) => (
                <tr key={texts[row]}>
                  <th scope="row" title={texts[row]}>
                    <span className="number muted">{row + 1}</span> {texts[row]}
                  </th>
                  {vectors.map((other, column) => (
                    <Cell key={texts[column]} value={cosine(vector, other)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

function Cell({ value }: { value: number }) {
  const strength = Math.round(Math.min(Math.max(value, 0), 1) * 55);
  return (
    <td className="number" style={{ background: `color-mix(in srgb, var(--accent) ${strength}%, transparent)` }}>
      {formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
    </td>
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let left = 0;
  let right = 0;
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    left += value * value;
    right += other * other;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}
