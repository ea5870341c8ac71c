/** Exactly what became of a request to an upstream. */
export type UpstreamReply =
  | { state: "answered"; status: number; headers: Record<string, string>; body: unknown; text: string }
  /** No byte of the request left this machine. */
  | { state: "not-sent"; cause: string }
  /** Bytes may have left, and no whole answer came back. */
  | { state: "lost"; cause: string };
