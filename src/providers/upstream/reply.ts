/** Exactly what became of a request to an upstream. */
export type UpstreamReply =
  | Answered
  /** No byte of the request left this machine. */
  | { state: "not-sent"; cause: string }
  /** Bytes may have left, and no whole answer came back. */
  | { state: "lost"; cause: string };

export type Answered = {
  state: "answered";
  status: number;
  headers: Record<string, string>;
  /** What the JSON says; undefined where it is none. */
  body: unknown;
  /** For the log. */
  text: string;
  bytes: Uint8Array;
  /** What was shown of the credential, to be blotted out of whatever is written down about this reply. */
  secrets: readonly string[];
};

/** Whether a reply carries a medium itself. */
export function isMedium({ status, headers, bytes, body }: Answered): boolean {
  const type = headers["content-type"] ?? "";
  return status >= 200 && status < 300 && bytes.byteLength > 0 && body === undefined && mediumType.test(type);
}

export const mediumType = /^\s*(?:(?:image|video|audio)\/|application\/octet-stream|binary\/)/i;
