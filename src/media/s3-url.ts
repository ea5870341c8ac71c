import { isIP } from "node:net";

/** A bucket, where it is, and what opens it. */
export type S3Target = {
  bucket: string;
  /** Under which our keys lie: empty, or ending in a slash. */
  prefix: string;
  /** Where we ask. */
  endpoint: string;
  /** Where browsers ask, when they are sent there. */
  publicEndpoint: string;
  region: string;
  /** Whether the bucket is named in the path rather than in the host. */
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
};

/** The origin of the addresses that browsers are sent to. */
export function publicOrigin({ publicEndpoint, bucket, pathStyle }: S3Target): string {
  const url = new URL(publicEndpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Given = Readonly<Record<string, string>>;

const parameters = ["endpoint", "public_endpoint", "region", "path_style", "access_key_id", "secret_access_key", "session_token"] as const;
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Reads the address of an object store; what is missing in it is looked for in the usual AWS_ variables. Problems never show what was given. */
export function readMediaUrl(text: string, environment: Environment = process.env): { target: S3Target } | { problem: string } {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "s3:") return { problem: "must begin with s3://" };
  // A secret key may hold a plus, which a form would read as a space.
  const pairs = [...new URLSearchParams(url.search.replaceAll("+", "%2B"))];
  const given = Object.fromEntries(pairs);
  const problem = placeProblem(url) ?? parameterProblem(pairs) ?? credentialProblem(given, environment);
  if (problem !== null) return { problem };
  return placeOf(url, given, environment);
}

function placeOf(url: URL, given: Given, environment: Environment): { target: S3Target } | { problem: string } {
  const bucket = url.hostname;
  const own = given["endpoint"] ?? environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"];
  const region = given["region"] ?? environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"];
  if (own === undefined && region === undefined) return { problem: "needs a region, or the endpoint of a store that is not Amazon's" };
  if (own !== undefined && !isWebAddress(own)) return { problem: `the endpoint ${webAddress}` };
  const endpoint = own === undefined ? `https://s3.${region}.amazonaws.com` : withoutSlash(own);
  // The certificates of Amazon do not cover a bucket with dots as part of the host.
  const usualStyle = own !== undefined || bucket.includes(".");
  const pathStyle = given["path_style"] === undefined ? usualStyle : given["path_style"] === "true";
  const publicEndpoint = withoutSlash(given["public_endpoint"] ?? endpoint);
  if (!pathStyle && [endpoint, publicEndpoint].some(isNumeric))
    return { problem: "needs path_style=true, because the endpoint is not a name that a bucket can stand before" };
  return {
    target: {
      bucket,
      prefix: prefixOf(url),
      endpoint,
      publicEndpoint,
      region: region ?? "us-east-1",
      pathStyle,
      ...credentialsOf(given, environment),
    },
  };
}

const webAddress = "must begin with http:// or https:// and end before any ? or #";

function placeProblem(url: URL): string | null {
  if (url.username !== "" || url.password !== "") return "takes credentials as access_key_id and secret_access_key, not before the bucket";
  if (url.port !== "") return "must not hold a port; that belongs to the endpoint";
  if (!bucketName.test(url.hostname)) return "must name a bucket: 3 to 63 small letters, digits, dots and hyphens";
  if (url.hash !== "") return "must end before any #";
  try {
    return prefixOf(url).includes("//") ? "must not have an empty part in the path after the bucket" : null;
  } catch {
    return "has a path that is not properly encoded";
  }
}

function parameterProblem(pairs: readonly (readonly [string, string])[]): string | null {
  const names = pairs.map(([name]) => name);
  const unknown = names.find((name) => !parameters.some((known) => known === name));
  if (unknown !== undefined) return `does not know the parameter "${unknown.slice(0, 40)}"; there are ${parameters.join(", ")}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `has the parameter ${twice} twice`;
  const empty = pairs.find(([, value]) => value === "");
  if (empty !== undefined) return `has nothing for the parameter ${empty[0]}`;
  for (const [name, value] of pairs) {
    if (name === "path_style" && !["true", "false"].includes(value)) return "the parameter path_style must be true or false";
    if (name.endsWith("endpoint") && !isWebAddress(value)) return `the parameter ${name} ${webAddress}`;
    if (name === "region" && !/^[\w-]+$/.test(value)) return "the parameter region must be a name such as eu-central-1";
  }
  return null;
}

function credentialProblem(given: Given, environment: Environment): string | null {
  const { access_key_id: id, secret_access_key: secret } = given;
  if ((id === undefined) !== (secret === undefined)) return "must have both access_key_id and secret_access_key, or neither";
  const { accessKeyId, secretAccessKey } = credentialsOf(given, environment);
  return accessKeyId === "" || secretAccessKey === ""
    ? "needs credentials: the parameters access_key_id and secret_access_key, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"
    : null;
}

function credentialsOf(given: Given, environment: Environment): Pick<S3Target, "accessKeyId" | "secretAccessKey" | "sessionToken"> {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken = null } = given;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey, sessionToken };
  return {
    accessKeyId: environment["AWS_ACCESS_KEY_ID"] ?? "",
    secretAccessKey: environment["AWS_SECRET_ACCESS_KEY"] ?? "",
    sessionToken: environment["AWS_SESSION_TOKEN"] ?? null,
  };
}

function prefixOf(url: URL): string {
  const path = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, "");
  return path === "" ? "" : `${path}/`;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === "http:" || url?.protocol === "https:") && url.search === "" && url.hash === "" && url.username === "";
}

function isNumeric(endpoint: string): boolean {
  return isIP(new URL(endpoint).hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}
