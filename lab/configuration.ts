import { dialects } from "./dialects/index.ts";
import type { Lab } from "./lab.ts";

/** The text of a configuration file that puts every upstream of the lab behind a gateway. */
export function describeConfiguration(lab: Pick<Lab, "baseUrl">, key: string): string {
  const providers = dialects.map(
    ({ type }) => `  ${type}: { type: ${type}, base_url: "${lab.baseUrl(type)}", keys: ["${key}"], allow_private_network: true }`,
  );
  const models = dialects.flatMap(({ type, models: offered }) =>
    offered.map(({ name, kind, price }) => `  "${name}": { kinds: [${kind}], routes: [{ provider: ${type} }], price: { ${price} } }`),
  );
  return ["providers:", ...providers, "models:", ...models, ""].join("\n");
}
