/** What it costs that nodes tell each other something: one note, and each node that hears it. */
import pg from "pg";

export type NoteCost = { sentServerUs: number; heardServerUs: number; heardNodeUs: number };

const notes = 1_000;
const crowds = [1, 21] as const;

/** Posts notes one by one while few and then many connections listen; the difference is what hearing costs. */
export async function measureNotes(url: string, serverUs: () => number): Promise<NoteCost> {
  const [few, many] = [await post(url, crowds[0], serverUs), await post(url, crowds[1], serverUs)];
  const more = crowds[1] - crowds[0];
  const heardServerUs = (many.server - few.server) / more;
  return { sentServerUs: few.server - crowds[0] * heardServerUs, heardServerUs, heardNodeUs: (many.node - few.node) / more };
}

async function post(url: string, listeners: number, serverUs: () => number): Promise<{ server: number; node: number }> {
  const clients = Array.from({ length: listeners + 1 }, () => new pg.Client({ connectionString: url }));
  const [poster] = clients;
  let missing = 0;
  let allHeard: () => void = () => undefined;
  for (const client of clients) await client.connect();
  for (const client of clients.slice(1)) {
    client.on("notification", ({ payload = "" }) => {
      missing -= JSON.parse(payload).notes.length;
      if (missing === 0) allHeard();
    });
    await client.query("listen genway");
  }
  const sheet = JSON.stringify({ from: "019a8b7e-0000-7000-8000-000000000000", notes: [["task", "019a8b7e-0000-7000-8000-000000000001"]] });
  const before = { server: serverUs(), node: process.cpuUsage() };
  for (let note = 0; note < notes; note++) {
    missing = listeners;
    const heard = new Promise<void>((resolve) => void (allHeard = resolve));
    await poster?.query("select pg_notify($1, $2)", ["genway", sheet]);
    await heard;
  }
  const { user, system } = process.cpuUsage(before.node);
  const server = serverUs() - before.server;
  for (const client of clients) await client.end();
  return { server: server / notes, node: (user + system) / notes };
}
