import { command, gatewayOptions, jsonOption } from "./command.ts";
import { adminClient } from "./connection.ts";
import { limitOption, noteMore, readLimit } from "./listing.ts";
import { readNumber } from "./number.ts";
import { AccountRecord, CreditRecord } from "./records.ts";
import { printTable } from "./table.ts";
import { formatUsd } from "./wording.ts";

const million = 1_000_000;

const createAccount = command({
  name: "account create",
  takes: ["NAME"],
  says: "Make an account, which keys belong to and which pays.",
  example: "genway account create shop --credit 25",
  options: {
    credit: { type: "string", value: "USD", says: "its first credit; none unless given" },
    ...gatewayOptions,
    ...jsonOption,
  },
  async run({ values, words: [name] }, shell) {
    const credit = values.credit === undefined ? {} : { credit_usd: readNumber("--credit", values.credit, { min: 0, max: million }) };
    const account = await adminClient(shell, values.url).ask(AccountRecord, "POST", "/admin/v1/accounts", { body: { name, ...credit } });
    if (values.json) return shell.print(JSON.stringify(account, null, 2));
    shell.print(`Account ${account.name} (${account.id}) has ${formatUsd(account.available_usd)}.`);
  },
});

const listAccounts = command({
  name: "account list",
  takes: [],
  says: "List accounts with what they have, hold and used.",
  example: "genway account list",
  options: { ...limitOption, ...gatewayOptions, ...jsonOption },
  async run({ values }, shell) {
    const page = await adminClient(shell, values.url).list(AccountRecord, "/admin/v1/accounts", readLimit(values.limit));
    if (values.json) return shell.print(JSON.stringify({ object: "list", ...page }, null, 2));
    if (page.data.length === 0) return shell.note("There are no accounts yet: genway account create makes one.");
    const rows = page.data.map((account) => [
      account.id,
      account.name,
      formatUsd(account.available_usd),
      formatUsd(account.held_usd),
      formatUsd(account.used_usd),
      account.frozen ? "spending stopped" : "open",
    ]);
    printTable(shell, ["ID", "NAME", "AVAILABLE", "HELD", "USED", "STATE"], rows, { right: ["AVAILABLE", "HELD", "USED"] });
    noteMore(shell, page);
  },
});

const addCredit = command({
  name: "credit",
  takes: ["NAME", "AMOUNT"],
  says: "Add credit to an account, in US dollars; a negative amount takes some back.",
  example: 'genway credit shop 50 --note "invoice 17"',
  options: { note: { type: "string", value: "TEXT", says: "why, for the books" }, ...gatewayOptions, ...jsonOption },
  async run({ values, words: [account, amount] }, shell) {
    const usd = readNumber("AMOUNT", amount.replace(/^\$/, ""), { min: -million, max: million });
    const body = { account, amount_usd: usd, note: values.note ?? "" };
    const credit = await adminClient(shell, values.url).ask(CreditRecord, "POST", "/admin/v1/credits", { body });
    if (values.json) return shell.print(JSON.stringify(credit, null, 2));
    shell.print(`${formatUsd(credit.amount_usd)} credited to ${account}, which now has ${formatUsd(credit.available_usd)}.`);
  },
});

export const accountCommands = [createAccount, listAccounts, addCredit];
