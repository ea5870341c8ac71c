export type Bar = { title: string; isOurs: boolean };
export type Panel = { title: string; unit: string; /** One for each bar; NaN leaves it out. */ values: readonly number[] };

const labelWidth = 92;
const panelWidth = 252;
const barWidth = 150;
const rowHeight = 26;
const top = 52;
// Grey enough to be read on white and on black.
const ink = "#76808c";
const ours = "#2f81f7";
const others = "#9aa4b0";

/** Bars from zero on a linear scale, one panel beside the other: shorter is better in all of them. */
export function drawChart(bars: readonly Bar[], panels: readonly Panel[], caption: string): string {
  const width = labelWidth + panels.length * panelWidth;
  const height = top + bars.length * rowHeight + 30;
  const middle = (row: number) => top + row * rowHeight + 13;
  const labels = bars.map(
    ({ title, isOurs }, row) =>
      `<text x="${labelWidth - 12}" y="${middle(row) + 4}" text-anchor="end"${isOurs ? ` fill="${ours}" font-weight="600"` : ""}>${escape(title)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">
<title>${escape(caption)}</title>
${labels.join("\n")}
${panels.map((panel, column) => drawPanel(panel, bars, labelWidth + column * panelWidth, middle)).join("\n")}
<text x="${labelWidth}" y="${height - 8}" font-size="11">${escape(caption)}</text>
</svg>
`;
}

function drawPanel({ title, unit, values }: Panel, bars: readonly Bar[], left: number, middle: (row: number) => number): string {
  const most = Math.max(...values.filter(Number.isFinite), Number.MIN_VALUE);
  const rows = values.flatMap((value, row) => {
    if (!Number.isFinite(value)) return [`<text x="${left}" y="${middle(row) + 4}">–</text>`];
    const length = Math.max(1.5, (Math.max(0, value) / most) * barWidth).toFixed(1);
    const isOurs = bars[row]?.isOurs === true;
    return [
      `<rect x="${left}" y="${middle(row) - 8}" width="${length}" height="16" rx="2" fill="${isOurs ? ours : others}"/>`,
      `<text x="${(left + Number(length) + 6).toFixed(1)}" y="${middle(row) + 4}"${isOurs ? ` fill="${ours}" font-weight="600"` : ""}>${amount(value)}</text>`,
    ];
  });
  return [
    `<text x="${left}" y="20" font-weight="600">${escape(title)}</text>`,
    `<text x="${left}" y="37" font-size="11">${escape(unit)}</text>`,
    ...rows,
  ].join("\n");
}

function amount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
