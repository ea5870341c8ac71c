import { callEntries } from "./calls/call-configuration.ts";
import type { Dialect } from "./dialect.ts";
import { dialects } from "./dialects/index.ts";
import type { Lab } from "./lab.ts";

type Place = Pick<Lab, "baseUrl">;
type Entries = { providers: string[]; models: string[] };

/** The text of a configuration file that puts every upstream of tasks behind a gateway, or those of some types. */
export function describeConfiguration(lab: Place, key: string, types?: readonly string[]): string {
  const wanted = types === undefined ? dialects : dialects.filter(({ type }) => types.includes(type));
  return fileOf([taskEntries(wanted, lab, key)]);
}

/** The same for the upstreams that answer at once. */
export function describeCallConfiguration(lab: Place, key: string): string {
  return fileOf([callEntries(lab, key)]);
}

/** Both in one file. */
export function describeWholeConfiguration(lab: Place, key: string): string {
  return fileOf([taskEntries(dialects, lab, key), callEntries(lab, key)]);
}

function taskEntries(wanted: readonly Dialect[], lab: Place, key: string): Entries {
  return {
    providers: wanted.map((dialect) => `  ${dialect.type}: { ${providerFields(dialect, lab.baseUrl(dialect.type), key)} }`),
    models: wanted.flatMap(({ type, models }) =>
      models.map(({ name, kind, price, model }) => {
        const route = model === undefined ? `provider: ${type}` : `provider: ${type}, model: ${JSON.stringify(model)}`;
        return `  "${name}": { kinds: [${kind}], routes: [{ ${route} }], price: { ${price} } }`;
      }),
    ),
  };
}

function providerFields(
  { type, adapter = type, keyless, credential, webhookSecret, options }: Dialect,
  baseUrl: string,
  key: string,
): string {
  const fields = [
    `type: ${adapter}, base_url: "${baseUrl}"`,
    ...(keyless ? [] : [`keys: ${JSON.stringify([credential?.(key) ?? key])}`]),
    "allow_private_network: true",
    ...(webhookSecret === undefined ? [] : [`webhook_secret: ${JSON.stringify(webhookSecret)}`]),
    ...(options === undefined ? [] : [`options: ${JSON.stringify(options(baseUrl))}`]),
  ];
  return fields.join(", ");
}

function fileOf(parts: Entries[]): string {
  const providers = parts.flatMap((part) => part.providers);
  return ["providers:", ...providers, "models:", ...parts.flatMap((part) => part.models), ""].join("\n");
}
