import fc from "fast-check";
import { expect, test } from "vitest";
import { isApiKey, makeApiKey, maskApiKey } from "#domain/api-key";

test("a key is stet_ and 40 characters of base 62, and passes its own check", () => {
  const keys = new Set(Array.from({ length: 200 }, () => makeApiKey()));
  expect(keys.size).toBe(200);
  for (const key of keys) {
    expect(key).toMatch(/^stet_[0-9A-Za-z]{40}$/);
    expect(isApiKey(key)).toBe(true);
  }
});

test("the same random bytes make the same key: the form is fixed for ever", () => {
  const counting = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => i);
  expect(makeApiKey(counting)).toBe("stet_0123456789ABCDEFGHIJKLMNOPQRSTUVWX2v4chv");
});

test("bytes that would favour some characters are thrown away", () => {
  let calls = 0;
  const key = makeApiKey((bytes) => new Uint8Array(bytes).fill(calls++ === 0 ? 248 : 1));
  expect(calls).toBe(2);
  expect(key.slice(5, 39)).toBe("1".repeat(34));
});

test("one mistyped character is always noticed", () => {
  const key = makeApiKey();
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (let at = 5; at < key.length; at++) {
    for (const other of alphabet) {
      if (other !== key[at]) expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  }
});

test("nothing but a key has the form of one", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !isApiKey(text)));
  const key = makeApiKey();
  for (const text of ["", "stet_", key.slice(5), `${key} `, ` ${key}`, `${key}\n`, key.toUpperCase(), key.replace("_", "-")]) {
    expect(isApiKey(text)).toBe(false);
  }
});

test("a masked key shows its first and last four characters only", () => {
  const key = makeApiKey();
  expect(maskApiKey(key)).toBe(`stet…${key.slice(-4)}`);
});
