// A server that speaks S3, in a process of its own: s3rver, and by its side the two verbs that it lacks, abort and list of uploads.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

/** What the server is to do wrong, once for each count. */
export type S3Fault = {
  fault: "slow-down" | "lost-answer";
  method: string;
  /** Must be in the query. */ parameter?: string;
  times: number;
};

const [directory = "", bucket = "", port = "0"] = process.argv.slice(2);
const uploads = join(directory, bucket, "._S3rver_uploads");
const faults: S3Fault[] = [];

const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
});
const { getObject, listObjects } = server.store;
// Pages of two, so that whoever reads a list has to ask again.
server.store.listObjects = (inBucket, options) => listObjects.call(server.store, inBucket, { ...options, maxKeys: 2 });
// It takes an end of 0 for none; as an object it is true, and counts as 0 all the same.
server.store.getObject = (inBucket, key, range) =>
  getObject.call(server.store, inBucket, key, range?.end === 0 ? { ...range, end: Object(0) } : range);
server.middleware.unshift(async (context, next) => {
  const fault = faults.find(
    ({ method, parameter, times }) => times > 0 && method === context.method && (parameter === undefined || parameter in context.query),
  );
  if (fault !== undefined) fault.times--;
  if (fault?.fault === "slow-down") {
    context.status = 503;
    context.type = "application/xml";
    context.body = "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";
    return;
  }
  try {
    await next();
  } catch (error) {
    // Said only after the signature was found good.
    const code = error instanceof Error && "code" in error ? error.code : "";
    const { uploadId } = context.query;
    if (code === "MethodNotAllowed" && context.method === "DELETE" && uploadId !== undefined) {
      if (existsSync(join(uploads, uploadId))) {
        rmSync(join(uploads, uploadId), { recursive: true });
        context.status = 204;
      } else {
        context.status = 404;
        context.body = "<Error><Code>NoSuchUpload</Code></Error>";
      }
    } else if (code === "NotImplemented" && context.method === "GET" && "uploads" in context.query) {
      context.status = 200;
      context.type = "application/xml";
      context.body = uploadList(context.query["prefix"] ?? "", context.query["upload-id-marker"] ?? "");
    } else throw error;
  }
  if (fault?.fault === "lost-answer") context.req.socket.destroy();
});

function uploadList(prefix: string, after: string): string {
  const ids = (existsSync(uploads) ? readdirSync(uploads) : []).toSorted().filter((id) => id > after);
  const all = ids.map((id) => ({ id, key: readFileSync(join(uploads, id, "key"), "utf8") })).filter(({ key }) => key.startsWith(prefix));
  const shown = all.slice(0, 2);
  const items = shown.map(({ id, key }) => `<Upload><Key>${key.replaceAll("&", "&amp;")}</Key><UploadId>${id}</UploadId></Upload>`);
  const last = shown.at(-1);
  const rest = all.length > 2 ? `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>` : "";
  return `<ListMultipartUploadsResult><IsTruncated>${all.length > 2}</IsTruncated>${rest}${items.join("")}</ListMultipartUploadsResult>`;
}

process.on("message", (fault: S3Fault) => {
  faults.push(fault);
  process.send?.("noted");
});
process.on("disconnect", () => process.exit());
const address = await server.run();
process.send?.(address.port);
