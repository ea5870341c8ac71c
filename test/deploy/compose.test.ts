import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { loadConfig } from "../../src/config/config.ts";
import { adapters } from "../../src/providers/index.ts";
import { knownVariables, packageFile, placeOf, textOf, variablesIn, yamlFiles, yamlOf, yamlProblems } from "./deploy-files.ts";

type Container = {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  volumes?: string[];
  networks: string[];
  stop_grace_period?: string;
  restart: string;
  read_only?: boolean;
  cap_drop?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  deploy: { replicas?: number; resources: { limits: { cpus: string; memory: string } } };
};
type Stack = { services: Record<string, Container>; networks: Record<string, { internal?: boolean }>; volumes: Record<string, object> };

const stack: Stack = yamlOf("deploy/compose.yaml");
const services = Object.entries(stack.services);
const service = (name: string): Container => {
  const found = stack.services[name];
  assert.ok(found, `there is no service ${name}`);
  return found;
};
const nodes = services.filter(([, { image }]) => image.startsWith("${GENWAY_IMAGE"));
const filledIn = Object.fromEntries(
  [...textOf("deploy/stack.env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value]) => [name, value || "s".repeat(64)]),
);
const interpolate = (text: string): string => text.replaceAll(/\$\{(\w+)(:[?-][^}]*)?\}/g, (_all, name: string) => filledIn[name] ?? "");

test("every YAML file under deploy can be read", () => {
  assert.ok(yamlFiles.length >= 6, yamlFiles.join(" "));
  for (const file of yamlFiles) assert.deepEqual(yamlProblems(textOf(file)), [], file);
});

test("two gateways and two workers run, and everything else they need is there", () => {
  const roles = nodes.map(([, { environment, deploy }]) => [environment["GENWAY_ROLE"], deploy.replicas ?? 1] as const);
  const count = (role: string) => roles.reduce((sum, [name, replicas]) => sum + (name === role ? replicas : 0), 0);
  assert.deepEqual([count("gateway"), count("worker"), nodes.length], [2, 2, 4]);
  assert.deepEqual(
    services.map(([name]) => name).filter((name) => !nodes.some(([node]) => node === name)),
    ["caddy", "postgres", "valkey", "s3"],
  );
});

test("every variable of a node is one that the service or its configuration file reads", () => {
  const referred = variablesIn(textOf("deploy/config/genway.yaml"));
  for (const [name, { environment }] of nodes) {
    const unknown = Object.keys(environment).filter((variable) => !knownVariables.has(variable) && !referred.includes(variable));
    assert.deepEqual(unknown, [], name);
    assert.deepEqual(
      referred.filter((variable) => !(variable in environment)),
      [],
      `${name} lacks what the file refers to`,
    );
  }
});

test("the configuration file loads with the variables of the stack", () => {
  const env = Object.fromEntries(Object.entries(service("gateway-1").environment).map(([name, value]) => [name, interpolate(value)]));
  const config = loadConfig({ env: { ...env, GENWAY_CONFIG: placeOf("deploy/config/genway.yaml") }, cwd: placeOf("deploy"), adapters });
  assert.equal(config.server.trustProxy, true);
  const places = [config.storeUrl, config.redisUrl, new URL(config.mediaUrl ?? "").searchParams.get("endpoint")].map((text) => {
    const { hostname, port } = new URL(text ?? "");
    return `${hostname}:${port}`;
  });
  assert.deepEqual(places, ["postgres:5432", "valkey:6379", "s3:8333"]);
  for (const place of places) assert.ok(stack.services[place.split(":")[0] ?? ""], `${place} is no service of the stack`);
});

test("every secret that the stack asks for stands in the example, empty", () => {
  const asked = [...new Set([...textOf("deploy/compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name))];
  assert.ok(asked.length >= 6);
  for (const name of asked) assert.match(textOf("deploy/stack.env.example"), new RegExp(`^${name}=$`, "m"));
});

test("whatever is mounted exists, and every volume that is used is declared", () => {
  for (const [name, { volumes = [] }] of services) {
    for (const [source = "", target] of volumes.map((volume) => volume.split(":"))) {
      if (target === undefined) continue;
      const isThere = source.startsWith(".") ? existsSync(placeOf(`deploy/${source}`)) : source in stack.volumes;
      assert.ok(isThere, `${name}: ${source}`);
    }
  }
});

test("every image has the tag of a version, and our own that of the package", () => {
  for (const [name, { image }] of services) {
    const tag = image.replace(/^\$\{GENWAY_IMAGE:-(.*)\}$/, "$1").split(":")[1] ?? "";
    assert.match(tag, /^\d+\.\d+(\.\d+)?(-[a-z]+)?$/, `${name}: ${image}`);
  }
  assert.equal(filledIn["GENWAY_IMAGE"], `genway:${packageFile.version}`);
  for (const [, { image }] of nodes) assert.equal(image, `\${GENWAY_IMAGE:-genway:${packageFile.version}}`);
});

test("nodes wait for the tables and for healthy stores, and may take longer to stop than draining does", () => {
  for (const [name, node] of nodes) {
    const waits = Object.entries(node.depends_on ?? {});
    assert.equal(node.stop_grace_period, "15s", name);
    assert.deepEqual([node.read_only, node.cap_drop], [true, ["ALL"]], name);
    for (const [other, { condition }] of waits)
      assert.equal(condition, other === "migrate" ? "service_completed_successfully" : "service_healthy", `${name} waits for ${other}`);
    if (name !== "migrate") assert.deepEqual(waits.map(([other]) => other).toSorted(), ["migrate", "postgres", "s3", "valkey"]);
  }
  assert.deepEqual([service("migrate").command, service("migrate").restart], [["migrate"], "no"]);
});

test("everything has limits and a health check, and only the proxy has ports", () => {
  for (const [name, { deploy, healthcheck, ports }] of services) {
    assert.ok(deploy.resources.limits.cpus && deploy.resources.limits.memory, name);
    // The nodes have theirs from the image.
    if (!nodes.some(([node]) => node === name)) assert.ok(healthcheck?.test, name);
    assert.equal(ports !== undefined, name === "caddy", name);
  }
});

test("databases stand in a network without a way out, and the proxy is not in it", () => {
  assert.equal(stack.networks["stores"]?.internal, true);
  for (const name of ["postgres", "valkey", "s3"]) assert.deepEqual(service(name).networks, ["stores"]);
  assert.ok(!service("caddy").networks.includes("stores"));
  for (const [name, { networks }] of services) for (const network of networks) assert.ok(network in stack.networks, `${name}: ${network}`);
});
