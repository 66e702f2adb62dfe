import { expect, test } from "vitest";
import { addressOf, EMPTY_PARTS, knownParts, policyFor } from "./storage-address.ts";

const parts = { ...EMPTY_PARTS, bucket: "pictures", keyId: "KEY", secret: "S" };

test.each([
  [{ host: "s3.eu-central-1.amazonaws.com" }, "s3://KEY:S@s3.eu-central-1.amazonaws.com/pictures"],
  [{ host: " https://acc.r2.cloudflarestorage.com/ " }, "s3://KEY:S@acc.r2.cloudflarestorage.com/pictures"],
  [{ host: "http://10.0.0.5:9000", secret: "a/b+c@d:e" }, "s3+http://KEY:a%2Fb%2Bc%40d%3Ae@10.0.0.5:9000/pictures"],
  [
    { host: "h", region: "eu-1", style: "path", token: "t+k=", publicAddress: "https://images.example.com" },
    "s3://KEY:S@h/pictures?region=eu-1&style=path&token=t%2Bk%3D&public=https%3A%2F%2Fimages.example.com",
  ],
  [{ provider: "r2", account: " acc " }, "s3://KEY:S@acc.r2.cloudflarestorage.com/pictures"],
  [
    { provider: "r2", account: "acc", jurisdiction: "eu", publicAddress: "https://i.example.com" },
    "s3://KEY:S@acc.eu.r2.cloudflarestorage.com/pictures?public=https%3A%2F%2Fi.example.com",
  ],
  [{ provider: "cloudinary", cloud: "my-cloud", region: "eu" }, "cloudinary://KEY:S@my-cloud?region=eu"],
] as const)("%o is one address", (given, address) => {
  expect(addressOf({ ...parts, ...given })).toBe(address);
});

test.each([
  [
    { bucket: "b", endpoint: "acc.eu.r2.cloudflarestorage.com", region: "auto" },
    { provider: "r2", account: "acc", jurisdiction: "eu" },
  ],
  [
    { bucket: "b", endpoint: "acc.r2.cloudflarestorage.com", region: "auto" },
    { provider: "r2", account: "acc", jurisdiction: "" },
  ],
  [
    { bucket: "b", endpoint: "http://h:9000", style: "path" },
    { provider: "s3", host: "http://h:9000", style: "path" },
  ],
] as const)("the form is filled in again from %o", (shown, known) => {
  expect(knownParts({ kind: "s3", shown, publicBase: "https://p" })).toMatchObject({ ...known, bucket: "b", publicAddress: "https://p" });
});

test("of an account at Cloudinary, its public address is nothing to fill in", () => {
  const store = { kind: "cloudinary", shown: { cloud: "c", region: "eu", key: "…1" }, publicBase: "https://p" } as const;
  expect(knownParts(store)).toEqual({ provider: "cloudinary", cloud: "c", region: "eu" });
});

test("the policy allows the website's folder and the list of the bucket, and nothing else", () => {
  const { Statement } = JSON.parse(policyFor("pictures", "site_1")) as { Statement: { Action: unknown; Resource: string }[] };
  expect(Statement.map(({ Action, Resource }) => [Action, Resource])).toEqual([
    [["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], "arn:aws:s3:::pictures/site_1/*"],
    ["s3:ListBucket", "arn:aws:s3:::pictures"],
  ]);
});
