import type { Static } from "typebox";
import { command, gatewayOptions, jsonOption } from "./command.ts";
import { adminClient } from "./connection.ts";
import { ProviderRecord } from "./records.ts";
import { printTable } from "./table.ts";

const listProviders = command({
  name: "provider list",
  takes: [],
  says: "List the configured providers and how busy they are.",
  example: "genway provider list",
  options: { ...gatewayOptions, ...jsonOption },
  async run({ values }, shell) {
    const page = await adminClient(shell, values.url).list(ProviderRecord, "/admin/v1/providers", 10_000);
    if (values.json) return shell.print(JSON.stringify({ object: "list", ...page }, null, 2));
    const heading = ["NAME", "STATE", "KINDS", "KEYS", "RUNNING", "WAITING", "AT ONCE", "A MINUTE"];
    printTable(shell, heading, page.data.map(rowOf), { right: heading.slice(3) });
  },
});

function rowOf({ name, off, kinds, keys, running, waiting, concurrent, per_minute: perMinute }: Static<typeof ProviderRecord>): string[] {
  return [
    name,
    off ? "off" : "on",
    kinds.join(", "),
    String(keys),
    String(running),
    String(waiting),
    String(concurrent),
    String(perMinute ?? "-"),
  ];
}

function switchCommand(state: "off" | "on", says: string) {
  return command({
    name: `provider ${state}`,
    takes: ["NAME"],
    says,
    example: `genway provider ${state} runway`,
    options: { ...gatewayOptions, ...jsonOption },
    async run({ values, words: [name] }, shell) {
      const path = `/admin/v1/providers/${encodeURIComponent(name)}`;
      const provider = await adminClient(shell, values.url).ask(ProviderRecord, "PATCH", path, { body: { off: state === "off" } });
      if (values.json) return shell.print(JSON.stringify(provider, null, 2));
      const running = provider.off && provider.running > 0 ? `; ${provider.running} of its tasks are still running` : "";
      shell.print(`Provider ${provider.name} is ${provider.off ? "off until it is switched on or the service restarts" : "on"}${running}.`);
    },
  });
}

export const providerCommands = [
  listProviders,
  switchCommand("off", "Give a provider no new work for now; what runs goes on."),
  switchCommand("on", "Give a provider work again."),
];
