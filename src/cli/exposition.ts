/** The figures of several processes as one text for Prometheus: each metric is described once, with the samples of all of them. */
export function joinExpositions(texts: readonly string[]): string {
  const metrics = new Map<string, { heading: string[]; samples: string[] }>();
  for (const text of texts) {
    let open: string[] = [];
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const [, word, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name === undefined) {
        open.push(line);
        continue;
      }
      const known = metrics.get(name) ?? { heading: [], samples: [] };
      metrics.set(name, known);
      if (!known.heading.some((other) => other.startsWith(`# ${word} `))) known.heading.push(line);
      open = known.samples;
    }
  }
  return [...metrics.values()].flatMap(({ heading, samples }) => [...heading, ...samples, ""]).join("\n");
}
