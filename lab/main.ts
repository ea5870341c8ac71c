import { parseArgs } from "node:util";
import { describeWholeConfiguration } from "./configuration.ts";
import { createLab } from "./lab.ts";
import { defaultScript } from "./script.ts";

/** `npm run lab`: fake upstreams until they are stopped. Every value of the script is a flag: --min-seconds 600 --fail-rate 0.1 */
const flags = new Map(Object.keys(defaultScript).map((name) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), name]));
const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    port: text,
    host: text,
    seed: text,
    speed: text,
    key: text,
    ...Object.fromEntries(Array.from(flags.keys(), (flag) => [flag, text])),
  },
});

const { port = "8788", host = "127.0.0.1", seed = "1", speed = "1", key = "lab-key", ...rest } = values;
const script = Object.fromEntries(Object.entries(rest).map(([flag, value]) => [flags.get(flag) ?? flag, Number(value)]));
const lab = await createLab({ host, port: Number(port), seed: Number(seed), speed: Number(speed), keys: [key], script });

process.stdout.write(`The lab listens on ${lab.url} (GET /lab/jobs, /lab/calls, /lab/callbacks; script: POST /lab/script).\n`);
process.stdout.write(`A genway.yaml that puts it behind a gateway:\n\n${describeWholeConfiguration(lab, key)}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void lab.close());
