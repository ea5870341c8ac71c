import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { placeOf, runProgram, runs, textOf, yamlOf } from "./deploy-files.ts";

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
};
const rules: Rule[] = yamlOf("deploy/prometheus/alerts.yaml").groups.flatMap((group: { rules: Rule[] }) => group.rules);

let gateway: TestGateway;
let exposed = "";
before(async () => {
  gateway = await startGateway({ env: { GENWAY_ADMIN_KEY: "a".repeat(40) } });
  await fetch(`${gateway.url}/ready`);
  exposed = await (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${"a".repeat(40)}` } })).text();
});
after(() => gateway.end());

test("every alert asks for figures that the service shows, by labels that they have", () => {
  const names = new Set([...exposed.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
  // What Prometheus says of each target by itself.
  names.add("up");
  assert.ok(rules.length > 8);
  for (const { alert, expr } of rules) {
    const asked = [...expr.matchAll(/(\w+)\{/g)].map(([, name = ""]) => name.replace(/_bucket$/, ""));
    assert.ok(asked.length > 0, alert);
    for (const name of asked) assert.ok(names.has(name), `${alert} asks for ${name}`);
  }
});

test("every alert counts the nodes of Genway alone, says how bad it is, and what it means", () => {
  for (const { alert, expr, labels, annotations } of rules) {
    assert.match(alert, /^Genway[A-Z]\w+$/);
    for (const [, selector = ""] of expr.matchAll(/\{([^}]*)\}/g)) assert.ok(selector.includes('job="genway"'), `${alert}: ${selector}`);
    assert.ok(["critical", "warning"].includes(labels.severity), alert);
    assert.ok(annotations.summary.length > 10 && annotations.description.length > 20, alert);
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
});

test("the label values that alerts look for are those that the service writes", () => {
  assert.match(exposed, /^genway_http_requests_total\{method="GET",route="\/ready",status="(200|503)"\} \d+$/m);
  const source = ["metrics.ts", "queue-metrics.ts", "fleet-metrics.ts", "calls/call-metrics.ts"]
    .map((file) => textOf(`src/http/${file}`))
    .join("");
  for (const label of ["lane", "phase", "class", "provider", "role", "version", "check", "why", "state", "by", "chore"])
    assert.ok(source.includes(`"${label}"`), label);
});

test("the alerts have a test of their own, which names each of them", () => {
  const text = textOf("deploy/prometheus/alerts.test.yaml");
  assert.deepEqual(
    rules.map(({ alert }) => alert).filter((alert) => !text.includes(`"${alert}"`) && !text.includes(`: ${alert}`)),
    [],
  );
});

test("promtool finds the alerts right and their test good", { skip: !runs("promtool", "--version") && "promtool is not found" }, () => {
  for (const args of [
    ["check", "rules", placeOf("deploy/prometheus/alerts.yaml")],
    ["test", "rules", placeOf("deploy/prometheus/alerts.test.yaml")],
  ]) {
    const { status, said } = runProgram("promtool", args);
    assert.equal(status, 0, said);
  }
});
