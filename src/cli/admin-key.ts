import { statSync } from "node:fs";
import { makeAdminKey } from "../config/admin-key.ts";
import { readEnvironment } from "../config/environment.ts";
import { createClient, Refused } from "./client.ts";
import { command } from "./command.ts";
import { CommandError, UsageError } from "./complaint.ts";
import { runningGateway } from "./connection.ts";
import { Anything } from "./records.ts";

const resetAdminKey = command({
  name: "admin-key",
  takes: [],
  says: "With --reset: make a new admin key in place of a lost one, which stops working.",
  more: ["It is written into the data folder, so it works whether the service runs or not."],
  example: "genway admin-key --reset",
  options: { reset: { type: "boolean", says: "do it" } },
  async run({ values }, shell) {
    if (!values.reset)
      throw new UsageError("The admin key is kept as a hash and cannot be shown. `genway admin-key --reset` makes a new one.", "admin-key");
    if (shell.env["GENWAY_ADMIN_KEY"])
      throw new CommandError("GENWAY_ADMIN_KEY is set, and it is the admin key: change it there, or unset it first.");
    const { dataDir } = readEnvironment(shell.env, shell.cwd);
    if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new CommandError(`There is no data folder ${dataDir}: start Genway once, or name the folder with GENWAY_DATA_DIR.`);
    }
    const key = makeAdminKey(dataDir);
    shell.print(key);
    shell.note("This is the only time it is shown. The key before it is no longer valid.");
    const running = runningGateway(dataDir);
    if (running !== null && !(await isTaken(running.url, key))) {
      shell.note(
        "The running service does not take it: it has its own from GENWAY_ADMIN_KEY. The new one counts when it is started without that.",
      );
    }
  },
});

async function isTaken(url: string, key: string): Promise<boolean> {
  try {
    await createClient(url, { text: key, from: "the data folder" }).ask(Anything, "GET", "/admin/v1/providers");
    return true;
  } catch (error) {
    return !(error instanceof Refused && (error.status === 401 || error.status === 403));
  }
}

export const adminKeyCommands = [resetAdminKey];
