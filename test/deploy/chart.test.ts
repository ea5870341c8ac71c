import assert from "node:assert/strict";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse, parseAllDocuments, stringify } from "yaml";
import { loadConfig } from "../../src/config/config.ts";
import { adapters } from "../../src/providers/index.ts";
import { knownVariables, packageFile, placeOf, runProgram, runs, textOf, variablesIn, yamlOf } from "./deploy-files.ts";

const chart = "deploy/helm/genway";
const values = yamlOf(`${chart}/values.yaml`);
const templates = globSync("*", { cwd: placeOf(`${chart}/templates`) }).map((file) => ({
  file,
  text: textOf(`${chart}/templates/${file}`),
}));
const everything = templates.map(({ text }) => text).join("\n");

test("the chart has the version of the package", () => {
  const { version, appVersion } = yamlOf(`${chart}/Chart.yaml`);
  assert.deepEqual([version, appVersion], [packageFile.version, packageFile.version]);
});

test("the schema names every value, and every value that templates use is there", () => {
  const schema = JSON.parse(textOf(`${chart}/values.schema.json`));
  assert.deepEqual(
    Object.keys(values).toSorted(),
    Object.keys(schema.properties)
      .filter((name) => name !== "global")
      .toSorted(),
  );
  const used = [...everything.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = ""]) => path.split("."));
  assert.ok(used.length > 20);
  for (const path of used) {
    const found = path.reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], values);
    assert.notEqual(found, undefined, `.Values.${path.join(".")} has no default`);
  }
});

test("every value of the file is used by a template", () => {
  // The two roles are reached by their names.
  const unused = Object.keys(values).filter((name) => !["gateway", "worker"].includes(name) && !everything.includes(`.Values.${name}`));
  assert.deepEqual(unused, []);
  assert.deepEqual(Object.keys(values.gateway), Object.keys(values.worker));
});

test("ports, probes, user and folders are those of the image", () => {
  const dockerfile = textOf("deploy/Dockerfile");
  const [, port] = /containerPort: (\d+)/.exec(everything) ?? [];
  assert.match(dockerfile, new RegExp(`^EXPOSE ${port}$`, "m"));
  assert.match(dockerfile, new RegExp(`^USER ${/runAsUser: (\d+)/.exec(everything)?.[1]}:`, "m"));
  assert.match(dockerfile, /^VOLUME \/data$/m);
  assert.deepEqual(
    [...new Set([...everything.matchAll(/mountPath: ([^ ,]+)/g)].map(([, path]) => path))],
    ["/data", "/tmp", "/etc/genway"],
  );
  assert.ok(values.terminationGracePeriodSeconds >= values.preStopSeconds + 15);
});

test("every variable that pods get is one that the service or its configuration reads", () => {
  const environment = templates.find(({ file }) => file === "_pod.tpl")?.text ?? "";
  const names = [...environment.matchAll(/(?:- name: |")([A-Z][A-Z_]+)\b/g)].map(([, name = ""]) => name);
  assert.ok(names.includes("DATABASE_URL") && names.includes("GENWAY_CONFIG"));
  const referred = [...variablesIn(textOf(`${chart}/values.yaml`)), ...variablesIn(textOf("deploy/config/genway.yaml"))];
  assert.deepEqual(
    names.filter((name) => !knownVariables.has(name) && !referred.includes(name)),
    [],
  );
});

test("the configuration of the defaults loads, and large numbers as Helm writes them too", () => {
  const folder = mkdtempSync(join(tmpdir(), "genway-chart-"));
  try {
    const file = join(folder, "genway.yaml");
    writeFileSync(file, `${stringify(values.config)}limits: { tokens_per_minute: 2e+06 }\n`);
    const opened = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
    const env = { GENWAY_CONFIG: file, DATABASE_URL: "postgres://u:p@db.example/genway", MEDIA_URL: values.mediaUrl, ...opened };
    const config = loadConfig({ env, cwd: folder, adapters });
    assert.deepEqual([config.storeUrl, config.mediaUrl, config.limits.tokensPerMinute], [env.DATABASE_URL, env.MEDIA_URL, 2_000_000]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("rendered by Helm", { skip: !runs("helm", "version") && "helm is not found" }, () => {
  const render = (...args: string[]) => runProgram("helm", ["template", "genway", placeOf(chart), "--kube-version", "1.33.0", ...args]);
  const allOn = ["--set", "ingress.enabled=true,serviceMonitor.enabled=true,providerSecretNames[0]=upstreams"];

  test("every template gives objects that can be read, each named once", () => {
    const { status, said } = render(...allOn);
    assert.equal(status, 0, said);
    const objects = parseAllDocuments(said).map((document) => document.toJS() as { kind: string; metadata: { name: string } });
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(names).size, names.length);
    for (const name of [
      "Deployment genway-gateway",
      "Deployment genway-worker",
      "Job genway-migrate",
      "Ingress genway",
      "ServiceMonitor genway",
    ])
      assert.ok(names.includes(name), `${name} is not in ${names.join(", ")}`);
  });

  test("the file in the ConfigMap is the configuration", () => {
    const { said } = render("--show-only", "templates/configmap.yaml");
    assert.deepEqual(parse(parse(said).data["genway.yaml"]), values.config);
  });

  test("a value of the wrong type or name is refused", () => {
    for (const wrong of ["gateway.replicas=two", "workers.replicas=2", "image.digest=abc", "mediaUrl=/data"])
      assert.notEqual(render("--set", wrong).status, 0, wrong);
  });

  test("the linter has nothing to say", () => {
    const { status, said } = runProgram("helm", ["lint", "--strict", placeOf(chart)]);
    assert.equal(status, 0, said);
  });
});
