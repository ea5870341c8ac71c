import assert from "node:assert/strict";
import { test } from "node:test";
import { readMediaUrl } from "./s3-url.ts";

const keys = "access_key_id=AKID&secret_access_key=se+cr/et=";
const environment = {
  AWS_ACCESS_KEY_ID: "ENVID",
  AWS_SECRET_ACCESS_KEY: "env-secret",
  AWS_SESSION_TOKEN: "token",
  AWS_REGION: "eu-west-1",
};

function targetOf(text: string, given: Record<string, string> = {}) {
  const read = readMediaUrl(text, given);
  return "target" in read ? read.target : assert.fail(read.problem);
}

function problemOf(text: string, given: Record<string, string> = {}) {
  const read = readMediaUrl(text, given);
  return "problem" in read ? read.problem : assert.fail("nothing is wrong with it");
}

test("a store with an endpoint of its own names the bucket in the path, and a plus in a secret stays one", () => {
  assert.deepEqual(targetOf(`s3://bucket/media/genway/?endpoint=https://s3.example:9000/&${keys}`), {
    bucket: "bucket",
    prefix: "media/genway/",
    endpoint: "https://s3.example:9000",
    publicEndpoint: "https://s3.example:9000",
    region: "us-east-1",
    pathStyle: true,
    accessKeyId: "AKID",
    secretAccessKey: "se+cr/et=",
    sessionToken: null,
  });
});

test("without an endpoint it is Amazon's, with credentials and region from the environment", () => {
  assert.deepEqual(targetOf("s3://bucket", environment), {
    bucket: "bucket",
    prefix: "",
    endpoint: "https://s3.eu-west-1.amazonaws.com",
    publicEndpoint: "https://s3.eu-west-1.amazonaws.com",
    region: "eu-west-1",
    pathStyle: false,
    accessKeyId: "ENVID",
    secretAccessKey: "env-secret",
    sessionToken: "token",
  });
});

test("what the address says goes before the environment, and credentials are never mixed of both", () => {
  const all = { ...environment, AWS_ENDPOINT_URL_S3: "https://env.example" };
  const { endpoint, region, accessKeyId, sessionToken } = targetOf(`s3://bucket?region=us-west-2&${keys}`, all);
  assert.deepEqual([endpoint, region, accessKeyId, sessionToken], ["https://env.example", "us-west-2", "AKID", null]);
  assert.equal(targetOf("s3://bucket?endpoint=http://own.example", all).endpoint, "http://own.example");
});

test("the style of addresses, and the endpoint for browsers, can be told", () => {
  const own = `s3://bucket?endpoint=https://s3.example&${keys}`;
  assert.equal(targetOf(`${own}&path_style=false`).pathStyle, false);
  assert.equal(targetOf(`s3://my.bucket?region=eu-west-1&${keys}`).pathStyle, true);
  assert.equal(targetOf(`${own}&public_endpoint=https://cdn.example/`).publicEndpoint, "https://cdn.example");
});

test("a prefix is read as it is meant, whatever is in it", () => {
  assert.equal(targetOf(`s3://bucket/a%20b+c/%C3%BC%25?region=x&${keys}`).prefix, "a b+c/ü%/");
});

test("every mistake has its sentence", () => {
  const own = "endpoint=https://s3.example";
  const cases: [string, RegExp][] = [
    ["/var/media", /^must begin with s3:\/\/$/],
    ["https://bucket", /^must begin with s3:\/\//],
    [`s3:///prefix?${own}&${keys}`, /must name a bucket/],
    [`s3://Bucket_1?${own}&${keys}`, /must name a bucket/],
    [`s3://AKID:secret@bucket?${own}`, /takes credentials as access_key_id and secret_access_key/],
    [`s3://bucket:9000?${own}&${keys}`, /must not hold a port/],
    [`s3://bucket/a//b?${own}&${keys}`, /empty part/],
    [`s3://bucket/%zz?${own}&${keys}`, /not properly encoded/],
    [`s3://bucket?${own}&${keys}#x`, /before any #/],
    [`s3://bucket?${own}&${keys}&pathstyle=true`, /does not know the parameter "pathstyle"; there are endpoint, public_endpoint/],
    [`s3://bucket?${own}&${keys}&region=a&region=b`, /the parameter region twice/],
    [`s3://bucket?${own}&${keys}&region=`, /nothing for the parameter region/],
    [`s3://bucket?region=eu%20west&${keys}`, /must be a name such as eu-central-1/],
    [`s3://bucket?${own}&${keys}&path_style=yes`, /path_style must be true or false/],
    [`s3://bucket?endpoint=s3.example&${keys}`, /endpoint must begin with http:\/\/ or https:\/\//],
    [`s3://bucket?${own}&public_endpoint=ftp://x&${keys}`, /public_endpoint must begin with/],
    [`s3://bucket?${keys}`, /needs a region, or the endpoint/],
    [`s3://bucket?${own}`, /needs credentials: .* AWS_ACCESS_KEY_ID/],
    [`s3://bucket?${own}&access_key_id=AKID`, /must have both/],
    [`s3://bucket?endpoint=http://127.0.0.1:9000&path_style=false&${keys}`, /needs path_style=true/],
  ];
  for (const [text, problem] of cases) assert.match(problemOf(text), problem, text);
  assert.match(problemOf(`s3://bucket?${keys}`, { AWS_ENDPOINT_URL: "nonsense" }), /the endpoint must begin with http/);
});

test("no problem shows a secret", () => {
  for (const text of [
    "s3://A:hush@bucket",
    "s3://bucket?secret_access_key=hush",
    "s3://bucket?region=x&access_key_id=a&secret_access_key=hush&x=y",
  ])
    assert.doesNotMatch(problemOf(text), /hush/);
});
