import { describeWholeConfiguration } from "../../lab/configuration.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createClient, type Client } from "./client.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

/** The service with every upstream of the lab behind it, and a customer of it. */
export type CallGateway = {
  lab: Lab;
  gateway: TestGateway;
  client: Client;
  account: string;
  /** Another key of the same customer, with limits of its own. */
  key(limits: object): Promise<string>;
  end(): Promise<void>;
};

export type CallGatewayOptions = {
  credit?: number;
  /** More entries under `providers:` and `models:` of the configuration file. */
  providers?: readonly string[];
  models?: readonly string[];
  /** What else is in the file. */
  yaml?: string;
};

/** Starts the lab and the service in this process, on the real clock, because calls are answered at once. */
export async function startCallGateway(options: CallGatewayOptions = {}): Promise<CallGateway> {
  const { credit = 100, providers = [], models = [], yaml = "" } = options;
  const lab = await createLab();
  const entries = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join("");
  const file = describeWholeConfiguration(lab, "lab-key").replace("\nmodels:\n", `\n${entries(providers)}models:\n`);
  const gateway = await startGateway({ yaml: file + entries(models) + yaml });
  const { account, key } = await gateway.customer(credit);
  return {
    lab,
    gateway,
    client: createClient(gateway.url, key),
    account,
    async key(limits) {
      const { body } = await gateway.admin("POST", "/admin/v1/keys", { account, name: "limited", ...limits });
      return String(body["key"]);
    },
    async end() {
      await gateway.end();
      await lab.close();
    },
  };
}
