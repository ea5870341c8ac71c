// Preloaded into every test process: a file that leaves something open ends with a sentence instead of hanging the whole run.
const deadlineMs = Number(process.env["GENWAY_TEST_FILE_MS"] ?? 300_000);

setTimeout(() => {
  console.error(`${process.argv[1]} still runs after ${deadlineMs / 1000} s, kept open by: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, deadlineMs).unref();
