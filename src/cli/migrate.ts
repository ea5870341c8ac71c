import { readEnvironment } from "../config/environment.ts";
import { command } from "./command.ts";
import { CommandError, UsageError, cleanText } from "./complaint.ts";
import { runningGateway } from "./connection.ts";
import { keepNurserySmall } from "./nursery.ts";
import { createRowProgress } from "./row-progress.ts";
import type { Shell } from "./shell.ts";

const migrateTables = command({
  name: "migrate",
  takes: [],
  says: "Bring the tables of the configured store up to date.",
  more: [
    "A start does it too. On PostgreSQL it may run beside services and from several places at once: one does it, the others wait.",
    "On SQLite the service must be stopped; the database as it was is kept beside it.",
  ],
  example: "genway migrate",
  options: {},
  async run(_given, shell) {
    // Reading the configuration takes every provider; no other command waits for them.
    const { upgradeStore } = await import("./upgrade-store.ts");
    shell.print(await upgradeStore(shell));
  },
});

const moveToPostgres = command({
  name: "migrate-data",
  takes: [],
  says: "Copy a SQLite installation into an empty PostgreSQL, and compare the two.",
  more: [
    "The service must be stopped. The SQLite database is not changed; a copy that broke off goes on where it stood.",
    "Results, uploads and master.key stay in the data folder.",
  ],
  example: "genway migrate-data --to postgres://genway:secret@db.example/genway",
  options: {
    to: { type: "string", required: true, value: "URL", says: "the PostgreSQL to copy into: postgres://user:password@host/database" },
    check: { type: "boolean", says: "only compare, and change nothing" },
    yes: { type: "boolean", says: "clear an unfinished copy that is there, and start over" },
  },
  async run({ values }, shell) {
    if (!["postgres:", "postgresql:"].includes(URL.parse(values.to)?.protocol ?? ""))
      throw new UsageError("--to must be the address of a PostgreSQL: postgres://user:password@host/database.", "migrate-data");
    if (values.check && values.yes) throw new UsageError("--check changes nothing, so --yes has nothing to do.", "migrate-data");
    return move(shell, { url: values.to, onlyCheck: values.check ?? false, startOver: values.yes ?? false });
  },
});

type Wish = { url: string; onlyCheck: boolean; startOver: boolean };

async function move(shell: Shell, wish: Wish): Promise<number> {
  keepNurserySmall();
  const { moveData } = await import("../store/move.ts");
  const { dataDir } = readEnvironment(shell.env, shell.cwd);
  await refuseRunning(dataDir);
  const copying = createRowProgress(shell, "copying");
  const comparing = createRowProgress(shell, "comparing");
  const moved = await moveData({ dataDir, ...wish, onCopied: copying.show, onCompared: comparing.show }).finally(() => {
    copying.end();
    comparing.end();
  });
  if (moved.state === "refused") throw new CommandError(moved.says);
  if (moved.state === "differs") {
    for (const difference of moved.differences) shell.print(cleanText(difference));
    shell.note(wish.onlyCheck ? "PostgreSQL is not the same as the SQLite database." : unlike);
    return 1;
  }
  shell.print(`${moved.rows} rows are the same in both, and the books agree.`);
  if (!wish.onlyCheck) for (const line of nextSteps(dataDir)) shell.note(line);
  return 0;
}

const unlike =
  "The copy is not the same as the SQLite database, and no service will start on it. Go on with SQLite, or try again with --yes.";

function nextSteps(dataDir: string): string[] {
  return [
    "",
    "Now put the address that you gave with --to into genway.yaml, and start:",
    '  store: { url: "postgres://…" }',
    `Keep ${dataDir}: master.key, media and the admin key are used as before.`,
    "genway.db in it is no longer read. Do not start a service on it again: it would do the waiting work a second time.",
  ];
}

const answerMs = 2_000;

/** A service that has its tables in PostgreSQL does not lock the folder, but it uses the files in it. */
async function refuseRunning(dataDir: string): Promise<void> {
  const running = runningGateway(dataDir);
  if (running === null) return;
  const answers = await fetch(`${running.url}/health`, { signal: AbortSignal.timeout(answerMs) }).then(
    () => true,
    () => false,
  );
  if (answers) throw new CommandError(`Genway is running on the data folder ${dataDir}. Stop it first.`);
}

export const migrateCommands = [migrateTables, moveToPostgres];
