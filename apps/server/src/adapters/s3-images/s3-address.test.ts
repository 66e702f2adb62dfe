import { expect, test } from "vitest";
import { parseS3Address } from "./s3-address.ts";

const SECRET = "wJalrXUtnFEMI";

test.each([
  [
    `s3://KEY:${SECRET}@s3.eu-central-1.amazonaws.com/my-images`,
    { endpoint: "https://s3.eu-central-1.amazonaws.com", region: "eu-central-1", style: "host" },
  ],
  [`s3://KEY:${SECRET}@acc.r2.cloudflarestorage.com/my-images`, { region: "auto", style: "path" }],
  [`s3+http://KEY:${SECRET}@10.0.0.5:9000/my-images`, { endpoint: "http://10.0.0.5:9000", region: "us-east-1", style: "path" }],
  [
    `s3://KEY:a%2Fb%2Bc@host/my.images?region=eu-1&style=host&token=t%2Bk%3D`,
    { secretAccessKey: "a/b+c", bucket: "my.images", region: "eu-1", style: "host", sessionToken: "t+k=" },
  ],
])("%s is read", (text, expected) => {
  expect(parseS3Address(text)).toMatchObject({ accessKeyId: "KEY", sessionToken: null, ...expected });
});

test.each([
  ["https://KEY:SECRET@host/bucket", "such as s3://"],
  ["s3://", "such as s3://"],
  ["/var/media", "such as s3://"],
  [`s3://host/bucket`, "the key and its secret"],
  [`s3://KEY@host/bucket`, "the key and its secret"],
  [`s3://KEY:${SECRET}/abc@host/bucket`, "%2F"],
  [`s3://KEY:${SECRET}%zz@host/bucket`, "%2F"],
  [`s3://KEY:${SECRET}@host`, "name of the bucket"],
  [`s3://KEY:${SECRET}@host/bucket/below`, "name of the bucket"],
  [`s3://KEY:${SECRET}@host/Bucket`, "name of the bucket"],
  [`s3://KEY:${SECRET}@host/bucket?acl`, "nothing else"],
  [`s3://KEY:${SECRET}@host/bucket?public=https://x`, "nothing else"],
  [`s3://KEY:${SECRET}@host/bucket?region=a&region=b`, "twice"],
  [`s3://KEY:${SECRET}@host/bucket?region=a%20b`, "region"],
  [`s3://KEY:${SECRET}@host/bucket?style=both`, "style=path or style=host"],
  [`s3://KEY:${SECRET}@host/bucket?token=a%0Ab`, "token"],
  [`s3://KEY:${SECRET}@host/bucket#x`, "such as s3://"],
  [`s3://KEY:${SECRET}@host/buc ket`, "such as s3://"],
])("%s is refused in words that do not repeat the secret", (text, problem) => {
  const said = parseS3Address(text);
  expect(said).toEqual(expect.stringContaining(problem));
  expect(said).not.toContain(SECRET);
});
