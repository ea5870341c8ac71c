import assert from "node:assert/strict";
import { describeCallConfiguration, describeWholeConfiguration } from "../../lab/configuration.ts";
import type { LabCall } from "../../lab/calls/ledger.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import type { Clock } from "../../src/core/ports.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { createTeller, type Teller } from "./teller.ts";

/** Long and odd, so that a search for it finds nothing else. */
export const upstreamKey = "sk-upstream-5ecret-of-the-lab-0417";

/** What the lab's text models cost, in nano-USD a token. */
const price = { input: 150, output: 600 };

/** The service before the lab, with one customer whose books can be held against what the lab says it delivered. */
export type Bank = Teller & {
  lab: Lab;
  gateway: TestGateway;
  account: string;
  key: string;
  /** Another customer of the same service. */
  customer(creditUsd: number, limits?: object): Promise<Teller & { account: string }>;
  /** Waits until the customer has paid exactly for what was delivered since this was asked last. */
  isEven(): Promise<void>;
  /** Nothing that only the operator may know is in a text. */
  isDiscreet(text: string): void;
  end(): Promise<void>;
};

export type BankOptions = { credit?: number; clock?: Clock; yaml?: string | ((lab: Lab) => string); tasks?: boolean };

export async function openBank({ credit = 10, clock, yaml = "", tasks = false }: BankOptions = {}): Promise<Bank> {
  const lab = await createLab({ keys: [upstreamKey, `${upstreamKey}-b`], script: { minSeconds: 0.2, maxSeconds: 0.4, queueSeconds: 0 } });
  const base = tasks ? describeWholeConfiguration(lab, upstreamKey) : describeCallConfiguration(lab, upstreamKey);
  const text = typeof yaml === "string" ? base + yaml : yaml(lab);
  const gateway = await startGateway({ yaml: text, ...(clock && { clock }) });
  const { account, key } = await gateway.customer(credit);
  const teller = createTeller(gateway.url, key);
  let before = { calls: 0, used: 0 };
  return {
    ...teller,
    lab,
    gateway,
    account,
    key,
    async customer(creditUsd, limits = {}) {
      const other = await gateway.customer(creditUsd, limits);
      return { ...createTeller(gateway.url, other.key), account: other.account };
    },
    async isEven() {
      const calls = () => lab.calls().slice(before.calls);
      const paid = async () => (await teller.used()) - before.used;
      const isPaid = async () => calls().every(({ ended }) => ended !== "open") && (await paid()) === priced(calls());
      await eventually(isPaid, { withinMs: 4_000, everyMs: 15 }).catch(() => undefined);
      const seen = { paid: await paid(), due: priced(calls()), what: calls().map(shown) };
      before = { calls: lab.calls().length, used: await teller.used() };
      assert.equal(seen.paid, seen.due, `paid and delivered differ: ${seen.what.join("; ")}`);
    },
    isDiscreet(said) {
      const { port } = new URL(lab.url);
      for (const secret of [upstreamKey, `:${port}`, "127.0.0.1", "told to fail", "req_lab", "checking your browser"])
        assert.ok(!said.includes(secret), `"${secret}" must not be told: ${said.slice(0, 500)}`);
    },
    async end() {
      await gateway.end();
      await lab.close();
    },
  };
}

/** What delivered calls come to: those that ended well, and the words of those that did not. */
export function priced(calls: readonly LabCall[]): number {
  return calls
    .filter(({ ended, completionTokens }) => ended === "complete" || completionTokens > 0)
    .reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens * price.input + completionTokens * price.output, 0);
}

function shown({ operation, ended, promptTokens, completionTokens }: LabCall): string {
  return `${operation} ${ended} ${promptTokens}+${completionTokens}`;
}
