import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { PREVIEW_MILLIS, type PreviewClaims, readPreviewToken, writePreviewToken } from "./preview-token.ts";

const signer = (secret: string) => (text: string) => createHmac("sha256", secret).update(text).digest("hex");
const [ours, older, foreign] = [signer("ours"), signer("older"), signer("foreign")];
const NOW = Date.UTC(2026, 10, 15);
const claims: PreviewClaims = {
  websiteId: newId("website"),
  postId: newId("post"),
  userId: newId("user"),
  grantId: null,
  expiresAt: NOW + PREVIEW_MILLIS,
};
const read = (token: string, now = NOW) => readPreviewToken(token, (text) => [ours(text), older(text)], now);

test("what was signed comes back, for a person and for a tool, in letters that a path can hold", () => {
  for (const grantId of [null, newId("grant")]) {
    const token = writePreviewToken({ ...claims, grantId }, ours);
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
    expect(read(token)).toEqual({ ...claims, grantId });
  }
});

test("a token ends after its hour, to the second", () => {
  const token = writePreviewToken(claims, ours);
  expect(read(token, NOW + PREVIEW_MILLIS - 1)).toEqual(claims);
  expect(read(token, NOW + PREVIEW_MILLIS)).toBeNull();
});

test("a token signed under an older secret that is still given is good; one of another install is not", () => {
  expect(read(writePreviewToken(claims, older))).toEqual(claims);
  expect(read(writePreviewToken(claims, foreign))).toBeNull();
});

test("a token changed anywhere is none", () => {
  const token = writePreviewToken(claims, ours);
  const signed = token.indexOf(".");
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(..."Ab0_-"), (at, letter) => {
      // The last letter of base64url has bits that mean nothing.
      fc.pre(token[at] !== letter && at !== signed - 1 && at !== token.length - 1);
      expect(read(token.slice(0, at) + letter + token.slice(at + 1))).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => read(text) === null));
  expect(read(`${token}.${token}`)).toBeNull();
  expect(read("")).toBeNull();
});

test("signed words of another shape are none", () => {
  for (const text of ["", "p1", `p2 ${Object.values(claims).join(" ")}`, `p1 ${claims.websiteId} ${claims.postId} nobody  9999999999`]) {
    expect(read(`${Buffer.from(text).toString("base64url")}.${Buffer.from(ours(text), "hex").toString("base64url")}`)).toBeNull();
  }
});
