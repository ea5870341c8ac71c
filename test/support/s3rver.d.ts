declare module "@20minutes/s3rver" {
  type Context = {
    method: string;
    path: string;
    query: Record<string, string | undefined>;
    status: number;
    type: string;
    body: unknown;
    req: { socket: { destroy(): void } };
  };
  type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string }[];
    });
    readonly store: {
      getObject(bucket: string, key: string, range?: { start?: number; end?: number }): Promise<unknown>;
      listObjects(bucket: string, options: { maxKeys?: number }): Promise<unknown>;
    };
    readonly middleware: Middleware[];
    run(): Promise<{ port: number }>;
  }
}
