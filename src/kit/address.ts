import { BlockList, isIP } from "node:net";

/** A set of networks that an address is in or not. */
export type AddressSet = {
  has(ip: string): boolean;
  /** How many networks there are, where it is known. */
  readonly size?: number;
};

/** True only for an address of the public internet that one machine answers at; false for anything else, even text that is no address. */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !specialV4.check(ip, "ipv4");
  // A zone ("fe80::1%eth0") only makes sense on a local link.
  if (family !== 6 || ip.includes("%")) return false;
  return globalV6.check(ip, "ipv6") && !specialV6.check(ip, "ipv6");
}

/** Whether an address is one of the own link, or one where clouds tell machines their secrets. */
export function isLinkLocal(ip: string): boolean {
  return linkLocal.has(ip);
}

/** The same networks without link-local addresses, but for `own` ones. */
export function withoutLinkLocal(networks: AddressSet, own: AddressSet = parseCidrs([])): AddressSet {
  return { ...networks, has: (ip) => networks.has(ip) && (!isLinkLocal(ip) || own.has(ip)) };
}

/** Reads networks such as "10.0.0.0/8", "fd00::/8" or a single "127.0.0.1"; throws an Error that names the entry that is none. */
export function parseCidrs(list: string[]): AddressSet {
  const networks = new BlockList();
  for (const entry of list) addNetwork(networks, entry);
  return {
    has: (ip) => {
      const family = isIP(ip);
      return family !== 0 && !ip.includes("%") && networks.check(ip, family === 4 ? "ipv4" : "ipv6");
    },
    size: list.length,
  };
}

function addNetwork(networks: BlockList, entry: string): void {
  const [ip = "", bits, ...rest] = entry.trim().split("/");
  const family = isIP(ip);
  const widest = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (family === 0 || ip.includes("%") || rest.length > 0 || prefix < 0 || prefix > widest) {
    throw new Error(`"${entry}" is not a network: write an address such as 127.0.0.1 or a range such as 10.0.0.0/8 or fd00::/8`);
  }
  networks.addSubnet(ip, prefix, family === 4 ? "ipv4" : "ipv6");
}

function setOf(family: "ipv4" | "ipv6", networks: readonly (readonly [string, number])[]): BlockList {
  const set = new BlockList();
  for (const [address, prefix] of networks) set.addSubnet(address, prefix, family);
  return set;
}

const specialV4 = setOf("ipv4", [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by carriers; one cloud's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // one cloud's host agent, behind a public-looking number
  ["169.254.0.0", 16], // link-local; cloud metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
]);

// Everything outside 2000::/3 is special already: ::, ::1, mapped v4, 64:ff9b (NAT64), fc00::/7, fe80::/10, ff00::/8.
const globalV6 = setOf("ipv6", [["2000::", 3]]);

const specialV6 = setOf("ipv6", [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: carries a v4 address inside
  ["3fff::", 20], // documentation
]);

const linkLocal = parseCidrs([
  "169.254.0.0/16",
  "100.100.100.200", // metadata
  "168.63.129.16", // a host agent
  "fe80::/10",
  "fd00:ec2::/32", // metadata
  "fd20:ce::254", // metadata
  // 169.254.0.0/16 inside IPv6: as it was written once, behind translators, and by 6to4.
  "::a9fe:0/112",
  "64:ff9b::a9fe:0/112",
  "64:ff9b:1::a9fe:0/112",
  "2002:a9fe::/32",
]);
