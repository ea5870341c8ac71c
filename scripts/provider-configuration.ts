import type { JobAdapter } from "../src/providers/job/job.ts";

/** A configuration with one provider of this type and its examples as models. */
export function configurationOf({ type, defaultBaseUrl, needsKey, about }: JobAdapter): string {
  const isLocal = defaultBaseUrl?.startsWith("http://127.0.0.1") === true;
  const fields = [
    `type: ${type}`,
    ...(defaultBaseUrl === undefined ? ['base_url: "https://upstream.example"'] : []),
    ...(needsKey ? [`keys: ["\${${type.toUpperCase().replaceAll("-", "_")}_KEY}"]`] : []),
    ...(isLocal ? ["allow_private_network: true"] : []),
  ];
  const names = new Set<string>();
  const models = about.examples.map(({ kind, model, price }) => {
    const short = model.includes("/") ? model.split("/").slice(1).join("-") : model;
    const name = names.has(short) ? `${short}-${kind}` : short;
    names.add(name);
    const route = name === model ? `provider: ${type}` : `provider: ${type}, model: "${model}"`;
    return `  ${name}: { kinds: [${kind}], routes: [{ ${route} }], price: { ${price} } }\n`;
  });
  return `providers:\n  ${type}: { ${fields.join(", ")} }\nmodels:\n${models.join("")}`;
}
