import { takeIn } from "./intake.ts";
import type { Digest, Source } from "./intake.ts";
import type { S3Client } from "./s3-client.ts";
import { S3Error } from "./s3-error.ts";
import { partsOf } from "./s3-parts.ts";
import type { Part } from "./s3-parts.ts";
import { escapeXml, textOf } from "./xml.ts";

// The least that a part may have, apart from the last one, and the most parts that there may be.
const leastPartBytes = 5 * 1024 * 1024;
const mostParts = 10_000;

/** Sends a source in one piece where it is small, else in parts, of which two are in memory; what fails on the way leaves nothing. */
export async function upload(client: S3Client, key: string, source: Source, maxBytes: number): Promise<Digest> {
  const intake = takeIn(source, maxBytes);
  let large: Multipart | null = null;
  try {
    for await (const part of partsOf(intake.chunks, Math.max(leastPartBytes, Math.ceil(maxBytes / mostParts)))) {
      const headers = { "content-type": intake.mime() };
      if (part.isLast && large === null) await client.text({ method: "PUT", key, headers, body: part.bytes, sha256: part.sha256 });
      else await (large ??= await begin(client, key, headers)).send(part);
    }
    const digest = intake.digest();
    await large?.complete(digest.bytes);
    return digest;
  } catch (error) {
    await large?.abort();
    throw error;
  }
}

type Multipart = {
  /** Sends one part; answered when the part before it has arrived. */
  send(part: Part): Promise<void>;
  complete(bytes: number): Promise<void>;
  abort(): Promise<void>;
};

async function begin(client: S3Client, key: string, headers: Record<string, string>): Promise<Multipart> {
  const uploadId = textOf((await client.text({ method: "POST", key, query: { uploads: "" }, headers })).text, "UploadId");
  if (uploadId === "") throw new S3Error(200, "", "the object store gave no id for an upload");
  const stopping = new AbortController();
  const etags: string[] = [];
  let sending = Promise.resolve();

  async function sendPart({ bytes, sha256 }: Part, partNumber: string): Promise<void> {
    const query = { partNumber, uploadId };
    const { header } = await client.text({ method: "PUT", key, query, body: bytes, sha256, signal: stopping.signal });
    etags.push(header("etag"));
  }
  return {
    send: async (part) => {
      await sending;
      sending = sendPart(part, String(etags.length + 1));
      sending.catch(() => {}); // heard by whoever waits for it next
    },
    complete: async (bytes) => {
      await sending;
      const list = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`);
      const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join("")}</CompleteMultipartUpload>`;
      try {
        await client.text({ method: "POST", key, query: { uploadId }, headers: { "content-type": "application/xml" }, body });
      } catch (error) {
        // It may have been done and only the answer lost; the upload is then unknown when it is asked for again.
        if (!(await isThere(client, key, bytes))) throw error;
      }
    },
    abort: async () => {
      stopping.abort();
      await sending.catch(() => {});
      await abortUpload(client, key, uploadId);
    },
  };
}

async function isThere(client: S3Client, key: string, bytes: number): Promise<boolean> {
  return client.text({ method: "HEAD", key }).then(
    ({ header }) => header("content-length") === String(bytes),
    () => false,
  );
}

/** Forgets the parts of an upload; those that cannot be forgotten now are found again by their age. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.text({ method: "DELETE", key, query: { uploadId }, tries: 3 }).catch(() => {});
}
