import { explainConfig } from "../config/config.ts";
import { readEnvironment } from "../config/environment.ts";
import { command } from "./command.ts";
import { runningGateway } from "./connection.ts";
import { checkConfiguration, checkGateway } from "./doctor-gateway.ts";
import { checkDataFolder, checkNode, checkPackages, checkPort } from "./doctor-machine.ts";
import type { Finding } from "./finding.ts";
import { readPackageFile } from "./package-file.ts";
import type { Colour, Shell } from "./shell.ts";
import { alignColumns } from "./table.ts";

const diagnose = command({
  name: "doctor",
  takes: [],
  says: "Check this machine, the data folder, the configuration and the running service.",
  more: ["Exits with 1 if something is wrong. Secrets are never shown."],
  example: "genway doctor",
  options: { json: { type: "boolean", says: "print the findings as JSON" } },
  async run({ values }, shell) {
    const { findings, explanation } = await examine(shell);
    const isWrong = findings.some(({ verdict }) => verdict === "wrong");
    if (values.json) shell.print(JSON.stringify({ ok: !isWrong, findings }, null, 2));
    else printFindings(shell, findings, explanation);
    return isWrong ? 1 : 0;
  },
});

async function examine(shell: Shell): Promise<{ findings: Finding[]; explanation: string | null }> {
  const { host, port, dataDir } = readEnvironment(shell.env, shell.cwd);
  const facts = readPackageFile();
  const running = runningGateway(dataDir);
  const { findings: configuration, config } = checkConfiguration(shell);
  const usesEngines = config?.local.enabled ?? false;
  const findings = [
    checkNode(process.versions.node, facts.engines.node),
    ...checkPackages(Object.keys(facts.optionalDependencies), usesEngines),
    ...(await checkDataFolder(dataDir, shell.env)),
    ...configuration,
    ...(await checkGateway(dataDir, running)),
    await checkPort(host, port, running?.url ?? null),
  ];
  return { findings, explanation: config === null ? null : explainConfig(config) };
}

const colours: Record<Finding["verdict"], Colour> = { ok: "green", note: "yellow", wrong: "red" };

function printFindings(shell: Shell, findings: readonly Finding[], explanation: string | null): void {
  const lines = alignColumns(findings.map(({ what, says }) => [what, says]));
  for (const [index, { verdict }] of findings.entries()) {
    shell.print(`${shell.paint(colours[verdict], verdict.padEnd(5))}  ${lines[index] ?? ""}`);
  }
  if (explanation !== null) shell.print(`\n${explanation}`);
  const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
  shell.print(wrong === 0 ? "\nNothing is wrong." : `\n${wrong === 1 ? "1 thing is" : `${wrong} things are`} wrong.`);
}

export const doctorCommands = [diagnose];
