import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyring } from "./keyring.ts";

const keyring = createKeyring(["first secret"]);

test("a hash is HMAC-SHA256 under a key derived for its purpose", () => {
  const key = Buffer.from(hkdfSync("sha256", "first secret", "stet", "mac api-key", 32));
  expect(keyring.mac("api-key", "text").hash).toBe(createHmac("sha256", key).update("text").digest("hex"));
});

test("one text has another hash for every purpose and every secret", () => {
  const other = createKeyring(["second secret"]);
  const hashes = [keyring.mac("api-key", "t"), keyring.mac("invitation", "t"), other.mac("api-key", "t")].map((mac) => mac.hash);
  expect(new Set(hashes).size).toBe(3);
});

test("after a rotation new hashes are made under the new secret, and old ones are still found", () => {
  const before = keyring.mac("api-key", "t");
  const rotated = createKeyring(["new secret", "first secret"]);
  expect(rotated.mac("api-key", "t")).toEqual(rotated.macs("api-key", "t")[0]);
  expect(rotated.macs("api-key", "t")).toContainEqual(before);
  expect(rotated.mac("api-key", "t").secretId).not.toBe(before.secretId);
});

test("the id of a secret is short, stable, and not part of any hash of it that is used elsewhere", () => {
  const { secretId, hash } = keyring.mac("api-key", "t");
  expect(secretId).toMatch(/^[0-9a-f]{12}$/);
  expect(createKeyring(["first secret"]).mac("preview", "x").secretId).toBe(secretId);
  expect(hash).not.toContain(secretId);
});

test("a keyring without a secret is refused", () => {
  expect(() => createKeyring([])).toThrow(/at least one server secret/);
  expect(() => createKeyring([""])).toThrow(/none of them empty/);
});

test("what is sealed opens again, in its place, and never looks the same twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const sealed = keyring.seal("credentials", "site_1", text);
      expect(keyring.open("credentials", "site_1", sealed)).toBe(text);
      expect(keyring.seal("credentials", "site_1", text)).not.toBe(sealed);
    }),
  );
});

test("a sealed value does not open in another place, under another secret, or with one bit changed", () => {
  const sealed = keyring.seal("credentials", "site_1", "mongodb://user:password@host");
  expect(keyring.open("credentials", "site_2", sealed)).toBeNull();
  expect(createKeyring(["second secret"]).open("credentials", "site_1", sealed)).toBeNull();
  const [version, id, encoded] = sealed.split(".") as [string, string, string];
  const bytes = Buffer.from(encoded, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1;
    expect(keyring.open("credentials", "site_1", `${version}.${id}.${altered.toString("base64url")}`)).toBeNull();
  }
});

test("a value sealed before a rotation still opens", () => {
  const sealed = keyring.seal("credentials", "site_1", "text");
  expect(createKeyring(["new secret", "first secret"]).open("credentials", "site_1", sealed)).toBe("text");
});

test("anything else does not open, and does not throw", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => keyring.open("credentials", "site_1", text) === null));
  const id = keyring.mac("api-key", "t").secretId;
  for (const text of [`v1.${id}`, `v1.${id}.`, `v1.${id}.AAAA`, `v2.${id}.${"A".repeat(80)}`]) {
    expect(keyring.open("credentials", "site_1", text)).toBeNull();
  }
});
