/** An account with its keys, and the secret of its webhooks. */
export type Customer = { account: string; keys: string[]; secret: string; creditNanos: number; isPoor: boolean };

const keysEach = 3;
const creditUsd = 100_000;
const poorCreditUsd = 6;

/** Makes the accounts; the last one gets little. */
export async function makeCustomers(url: string, adminKey: string, count: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let place = 0; place < count; place++) {
    const isPoor = place === count - 1;
    const credit = isPoor ? poorCreditUsd : creditUsd;
    const { id } = await post(url, adminKey, "/admin/v1/accounts", { name: `customer ${place}`, credit_usd: credit });
    const account = String(id);
    const keys: string[] = [];
    for (let n = 0; n < keysEach; n++) {
      const { key } = await post(url, adminKey, "/admin/v1/keys", { account, name: `key ${n}` });
      keys.push(String(key));
    }
    const { secret } = await post(url, keys[0] ?? "", "/v1/webhooks/secret");
    customers.push({ account, keys, secret: String(secret), creditNanos: credit * 1e9, isPoor });
  }
  return customers;
}

async function post(url: string, key: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
  const reply = await fetch(url + path, { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
