import { expect, test } from "vitest";
import { StetError, verifyWebhook } from "../src/index.ts";

const SECRET = "whsec_one";
const SIGNED_AT = 1_763_197_200;
const body = '{"title":"Ünïcode 日本 😀"}';
const signature = `t=${SIGNED_AT},v1=129d76dc794073ff08ca92d3a64619d23d3f09a9290e07b73a7d2f8ed541ad1f`;
const codeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => StetError.is(error) && error.code);

/** Every vector is in `signatures.test.ts` of the server; these are for runtimes whose WebCrypto or Request may differ. */
test("a delivery is verified from its bytes, its text or its Request, and nothing that was altered is", async () => {
  const headers = { "Service-Signature": signature };
  const now = SIGNED_AT * 1_000;
  const request = () => new Request("https://site.example/", { method: "POST", body, headers });
  for (const received of [{ body, signature }, { body: new TextEncoder().encode(body), signature }, request()]) {
    expect(await verifyWebhook(received, { secret: ["whsec_new", SECRET] }, now)).toEqual({ title: "Ünïcode 日本 😀" });
  }
  expect(await codeOf(verifyWebhook({ body: `${body} `, signature }, { secret: SECRET }, now))).toBe("INVALID_SIGNATURE");
  expect(await codeOf(verifyWebhook({ body, signature }, { secret: SECRET }, now + 301_000))).toBe("INVALID_SIGNATURE");
  const read = request();
  await read.text();
  // Read already, parsed by a framework, or the body alone: each is told how it is done right.
  const parsed = JSON.parse(body) as object;
  for (const wrong of [read, parsed, { body: parsed, signature }, { headers, body: parsed }, body, null]) {
    const error: unknown = await verifyWebhook(wrong as never, { secret: SECRET }, now).catch((thrown: unknown) => thrown);
    expect(StetError.is(error) && error.code).toBe("INVALID_INPUT");
    expect(String(error)).toContain("express.raw");
  }
});
