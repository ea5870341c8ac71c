import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { fitting } from "../config/shape.ts";
import { createClient, Refused, type Client, type KeyInHand } from "./client.ts";
import { CommandError } from "./complaint.ts";
import { findGateway, type Connection } from "./connection.ts";
import { Anything, CreatedKey } from "./records.ts";
import type { Shell } from "./shell.ts";

const fileName = "command-line.key";
const usualAccount = "local";
const KeysByAccount = Type.Record(Type.String(), Type.String());

/** The service, spoken to as a client: with GENWAY_KEY, else with a key that the command line makes for itself and keeps. */
export async function keyedClient(
  shell: Shell,
  { url: named, account }: { url?: string | undefined; account?: string | undefined },
): Promise<Client> {
  const connection = findGateway(shell, named);
  const given = shell.env["GENWAY_KEY"];
  if (given && account === undefined) return createClient(connection.url, { text: given, from: "GENWAY_KEY" });
  if (!connection.isOurs) throw new CommandError(`This needs a client key of ${connection.url}: set GENWAY_KEY.`);
  return createClient(connection.url, await ownKey(connection, account ?? usualAccount));
}

/** The key that the command line keeps in the data folder for the service that runs there; made where there is none yet. */
export async function ownKey(connection: Connection, account = usualAccount): Promise<KeyInHand> {
  const { url, dataDir } = connection;
  const path = join(dataDir, fileName);
  const kept = keptKeys(path);
  const known = kept[account];
  if (known !== undefined && (await isAccepted(createClient(url, { text: known, from: path })))) return { text: known, from: path };
  const text = await makeKey(connection, account);
  await keep(path, { ...kept, [account]: text });
  return { text, from: path };
}

function keptKeys(path: string): Record<string, string> {
  try {
    return fitting(KeysByAccount, JSON.parse(readFileSync(path, "utf8"))) ?? {};
  } catch {
    return {};
  }
}

async function isAccepted(client: Client): Promise<boolean> {
  try {
    await client.ask(Anything, "GET", "/v1/balance");
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return false;
    throw error;
  }
}

async function makeKey({ url, adminKey }: Connection, account: string): Promise<string> {
  try {
    const { key } = await createClient(url, adminKey).ask(CreatedKey, "POST", "/admin/v1/keys", {
      body: { account, name: "command line" },
    });
    return key;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    throw new CommandError(`${error.message} Name one with --account, or make it: genway account create ${account} --credit 10`, {
      cause: error,
    });
  }
}

async function keep(path: string, keys: Record<string, string>): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}
