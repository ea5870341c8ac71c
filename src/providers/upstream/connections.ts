import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, Pool } from "undici";
import type { Dispatcher } from "undici";
import { isPublicAddress } from "../../kit/address.ts";

let publicAgent: Dispatcher | null = null;
let openAgent: Dispatcher | null = null;
const pools = new Map<string, Dispatcher>();

/** The connections for jobs: one pool per origin for the whole process, so that reloading the configuration keeps them. */
export function agentFor(allowPrivateNetwork: boolean): Dispatcher {
  if (allowPrivateNetwork) return (openAgent ??= new Agent({ ...jobOptions, connect: connectTo(true) }));
  return (publicAgent ??= new Agent({ ...jobOptions, connect: connectTo(false) }));
}

// A connection that idled longer may be closed by the other side just as a job is sent over it, and that job would count as lost.
const jobOptions = {
  connections: 128,
  keepAliveTimeout: 1_000,
  keepAliveMaxTimeout: 1_000,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** The connections for calls to one origin; a call that is lost on an old one is simply made again. */
export function poolFor(origin: string, allowPrivateNetwork: boolean): Dispatcher {
  const name = `${allowPrivateNetwork} ${origin}`;
  const known = pools.get(name);
  if (known !== undefined) return known;
  const pool = new Pool(origin, {
    connections: 4_096,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    allowH2: false,
    connect: connectTo(allowPrivateNetwork),
  });
  pools.set(name, pool);
  return pool;
}

/** Why an address is not called. */
export function privateCause(address: string): string {
  return `${address} is a private address; allow_private_network permits it`;
}

function connectTo(allowPrivateNetwork: boolean): { timeout: number; lookup?: LookupFunction } {
  return allowPrivateNetwork ? { timeout: 10_000 } : { timeout: 10_000, lookup: publicLookup };
}

const publicLookup: LookupFunction = (host, options, found) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    const hidden = addresses.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (hidden || !first) return found(new Error(hidden ? privateCause(hidden.address) : `${host} has no address`), []);
    if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  });
};
