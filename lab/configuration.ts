import { callEntries } from "./calls/call-configuration.ts";
import { dialects } from "./dialects/index.ts";
import type { Lab } from "./lab.ts";

type Place = Pick<Lab, "baseUrl">;
type Entries = { providers: string[]; models: string[] };

/** The text of a configuration file that puts every upstream of tasks behind a gateway. */
export function describeConfiguration(lab: Place, key: string): string {
  return fileOf([taskEntries(lab, key)]);
}

/** The same for the upstreams that answer at once. */
export function describeCallConfiguration(lab: Place, key: string): string {
  return fileOf([callEntries(lab, key)]);
}

/** Both in one file. */
export function describeWholeConfiguration(lab: Place, key: string): string {
  return fileOf([taskEntries(lab, key), callEntries(lab, key)]);
}

function taskEntries(lab: Place, key: string): Entries {
  return {
    providers: dialects.map(
      ({ type }) => `  ${type}: { type: ${type}, base_url: "${lab.baseUrl(type)}", keys: ["${key}"], allow_private_network: true }`,
    ),
    models: dialects.flatMap(({ type, models }) =>
      models.map(({ name, kind, price }) => `  "${name}": { kinds: [${kind}], routes: [{ provider: ${type} }], price: { ${price} } }`),
    ),
  };
}

function fileOf(parts: Entries[]): string {
  const providers = parts.flatMap((part) => part.providers);
  return ["providers:", ...providers, "models:", ...parts.flatMap((part) => part.models), ""].join("\n");
}
