import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { isPublicAddress, parseCidrs, withoutLinkLocal } from "./address.ts";

const edges: [network: string, first: string, last: string, before: string | null, after: string | null][] = [
  ["0.0.0.0/8", "0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0/10", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0/8", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0/16", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0/24", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0/24", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.168.0.0/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0/15", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0/24", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0/24", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0/4 and 240.0.0.0/4", "224.0.0.0", "255.255.255.255", "223.255.255.255", null],
  ["2001::/23", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2001:200::"],
  ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::1", "2001:db9::"],
  ["2002::/16", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::1", "2003::"],
  ["3fff::/20", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe::1", "3fff:1000::"],
];

for (const [network, first, last, before, after] of edges) {
  test(`${network} is not public, and its neighbours are`, () => {
    assert.equal(isPublicAddress(first), false, first);
    assert.equal(isPublicAddress(last), false, last);
    if (before) assert.equal(isPublicAddress(before), true, before);
    if (after) assert.equal(isPublicAddress(after), true, after);
  });
}

test("an IPv6 address is public only inside 2000::/3", () => {
  const inside = ["2606:4700:4700::1111", "2a00:1450:4001::200e", "2000::1", "3fff:1000::1"];
  const outside = ["::", "::1", "::7f00:1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"];
  const local = ["100::1", "1fff::1", "4000::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "fe80::1%eth0", "2606::1%1"];
  for (const ip of inside) assert.equal(isPublicAddress(ip), true, ip);
  for (const ip of [...outside, ...local]) assert.equal(isPublicAddress(ip), false, ip);
});

test("a cloud's host agent behind a public-looking number is not public", () => {
  assert.equal(isPublicAddress("168.63.129.16"), false);
  assert.equal(isPublicAddress("168.63.129.17"), true);
});

test("text that is not an address is not public", () => {
  for (const text of ["", "localhost", "8.8.8.8 ", "8.8.8", "08.8.8.8", "0x8.8.8.8", "[2606::1]", "8.8.8.8/32"]) {
    assert.equal(isPublicAddress(text), false, text);
  }
});

test("no IPv4 address mapped into IPv6 is public, whatever it is", () => {
  fc.assert(fc.property(fc.ipV4(), (ip) => !isPublicAddress(`::ffff:${ip}`)));
});

test("networks hold exactly the addresses inside them, in either spelling", () => {
  const set = parseCidrs(["127.0.0.0/8", "10.1.2.3", "fd00::/8", " ::1 ", "192.168.7.9/24"]);
  for (const ip of ["127.0.0.1", "127.255.0.9", "::ffff:127.0.0.1", "10.1.2.3", "fd12::1", "::1", "192.168.7.200"]) {
    assert.equal(set.has(ip), true, ip);
  }
  for (const ip of ["128.0.0.1", "10.1.2.4", "fc00::1", "::2", "192.168.8.1", "", "localhost", "fd00::1%eth0"]) {
    assert.equal(set.has(ip), false, ip);
  }
  assert.equal(set.size, 5);
});

test("no networks hold no address", () => {
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => !parseCidrs([]).has(ip)));
});

test("an entry that is no network is refused by name", () => {
  const wrong = [
    "",
    "localhost",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "10.0.0.0/8 x",
    "fe80::1%eth0/64",
    "*",
  ];
  for (const entry of wrong) {
    assert.throws(
      () => parseCidrs(["127.0.0.1", entry]),
      (error: Error) => error.message.startsWith(`"${entry}" is not a network`),
      entry,
    );
  }
});

test("no set of networks holds link-local addresses and those of metadata, in any spelling, but for the own ones", () => {
  const all = withoutLinkLocal(parseCidrs(["0.0.0.0/0", "::/0"]));
  for (const ip of ["10.0.0.1", "127.0.0.1", "169.253.255.255", "169.255.0.0", "8.8.8.8", "::1", "fd00::1", "fec0::1"])
    assert.ok(all.has(ip), ip);
  const plain = [
    "169.254.0.0",
    "169.254.169.254",
    "169.254.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "fe80::1",
    "febf::1",
    "fd00:ec2::254",
  ];
  const inside = ["::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"];
  for (const ip of [...plain, ...inside]) assert.ok(!all.has(ip), ip);
  const one = withoutLinkLocal(parseCidrs(["169.254.0.0/16"]), parseCidrs(["169.254.7.7"]));
  assert.deepEqual([one.has("169.254.7.7"), one.has("169.254.7.8"), one.size], [true, false, 1]);
});
