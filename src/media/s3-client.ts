import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent } from "undici";
import type { Dispatcher } from "undici";
import { errorCode } from "../kit/error-code.ts";
import { isPassing, refused, S3Error } from "./s3-error.ts";
import type { S3Target } from "./s3-url.ts";

export type S3Request = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Without our prefix; absent for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** Of the body, so that the store can see that it came whole. */
  sha256?: string;
  signal?: AbortSignal;
  /** Times it is tried where it can go better in a moment; everything here can be done twice. */
  tries?: number;
};

export type S3Reply = { status: number; header(name: string): string; stream: Readable };

/** Speaks to one bucket; a refusal is thrown as an S3Error. */
export type S3Client = {
  open(request: S3Request): Promise<S3Reply>;
  text(request: S3Request): Promise<{ header(name: string): string; text: string }>;
  bytes(request: S3Request): Promise<Uint8Array>;
  /** An address that anyone can open with GET until it expires. */
  presign(key: string, query: Record<string, string>, expiresSeconds: number): Promise<string>;
};

export type S3Timing = {
  clock: () => number;
  /** The first pause between two tries; each later one is three times as long, at most five seconds. */
  pauseMs: number;
};

const usualTries = 6;
const longestPauseMs = 5_000;
const silenceMs = 60_000;

export function createS3Client(target: S3Target, { clock, pauseMs }: S3Timing): S3Client {
  const agent = new Agent({ connect: { timeout: 10_000 }, headersTimeout: silenceMs, bodyTimeout: silenceMs });
  const { bucket, endpoint, publicEndpoint, region, accessKeyId, secretAccessKey, sessionToken } = target;
  const identity = { accessKeyId, secretAccessKey, sessionToken: sessionToken ?? undefined, region, service: "s3", cache: new Map() };
  const datetime = () => new Date(clock()).toISOString().replace(/[:-]|\.\d{3}/g, "");

  async function attempt(request: S3Request): Promise<Dispatcher.ResponseData> {
    const { method, key, query = {}, headers, body = null, sha256, signal } = request;
    const url = addressOf(target, endpoint, key, query);
    const allHeaders = { ...headers, ...(sha256 !== undefined && { "x-amz-content-sha256": sha256 }) };
    const signed = await new AwsV4Signer({ ...identity, method, url: url.href, headers: allHeaders, datetime: datetime() }).sign();
    const path = url.pathname + url.search;
    const reply = await agent.request({ origin: url.origin, path, method, headers: Object.fromEntries(signed.headers), body, signal });
    reply.body.on("error", () => {}); // a reply nobody reads any more must not end the process
    if (reply.statusCode < 300) return reply;
    const place = headerOf(reply, "x-amz-bucket-region");
    throw refused({ status: reply.statusCode, region: place, xml: await reply.body.text(), bucket, endpoint });
  }

  async function tried<T>(request: S3Request, take: (reply: Dispatcher.ResponseData) => T | Promise<T>): Promise<T> {
    for (let count = 1, wait = pauseMs; ; count++, wait = Math.min(wait * 3, longestPauseMs)) {
      try {
        return await take(await attempt(request));
      } catch (cause) {
        request.signal?.throwIfAborted();
        const error = cause instanceof S3Error ? cause : silent(endpoint, cause);
        if (count >= (request.tries ?? usualTries) || !isPassing(error)) throw error;
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: request.signal });
      }
    }
  }

  return {
    open: (request) =>
      tried(request, (reply) => ({ status: reply.statusCode, header: (name) => headerOf(reply, name), stream: reply.body })),
    text: (request) =>
      tried(request, async (reply) => ({ header: (name) => headerOf(reply, name), text: accepted(target, await reply.body.text()) })),
    bytes: (request) => tried(request, (reply) => reply.body.bytes()),
    presign: async (key, query, expiresSeconds) => {
      const url = addressOf(target, publicEndpoint, key, { ...query, "X-Amz-Expires": String(expiresSeconds) });
      const signed = await new AwsV4Signer({ ...identity, url: url.href, datetime: datetime(), signQuery: true }).sign();
      // Not as a form would be written: some stores do not read a plus as a space, nor a star as what was signed.
      signed.url.search = queryOf([...signed.url.searchParams]);
      return signed.url.href;
    },
  };
}

/** What takes long is answered with 200 before it is done, and with an error in the text where it was not. */
function accepted({ bucket, endpoint }: S3Target, xml: string): string {
  if (/<Error[\s>]/.test(xml.slice(0, 1000))) throw refused({ status: 500, region: "", xml, bucket, endpoint });
  return xml;
}

function silent(endpoint: string, cause: unknown): S3Error {
  const says = errorCode(cause) || (cause instanceof Error ? cause.message : String(cause));
  return new S3Error(0, errorCode(cause), `the object store at ${endpoint} does not answer: ${says}`, cause);
}

function addressOf(target: S3Target, endpoint: string, key: string | undefined, query: Record<string, string>): URL {
  const { bucket, prefix, pathStyle } = target;
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const parts = [...(pathStyle ? [bucket] : []), ...(key === undefined ? [] : `${prefix}${key}`.split("/"))];
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${parts.map(encoded).join("/")}`;
  url.search = queryOf(Object.entries(query));
  return url;
}

function queryOf(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  return String(headers[name] ?? "");
}
