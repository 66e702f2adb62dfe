import { StetError, verifyWebhook as verifyAsReceiver } from "@stet/client";
import { expect, test } from "vitest";
import { signWebhook, verifyWebhook } from "#domain/webhook-signature";
import { BODY, NEW_SECRET, SECRET, SIGNATURE_VECTORS, SIGNATURES, SIGNED_AT } from "./signature-vectors.ts";

const genuine = SIGNATURE_VECTORS[0]!.header;
const now = SIGNED_AT * 1_000;

test("what is signed is what the vectors say", () => {
  expect(signWebhook(BODY, [SECRET], new Date(now))).toBe(genuine);
  expect(signWebhook(BODY, [NEW_SECRET, SECRET], new Date(now + 999))).toBe(SIGNATURE_VECTORS[1]!.header);
});

test.each(SIGNATURE_VECTORS)(
  "$name: $isGenuine, to the service and to the client",
  async ({ header, body = BODY, later = 0, isGenuine }) => {
    const at = (SIGNED_AT + later) * 1_000;
    expect(verifyWebhook(header, body, SECRET, new Date(at))).toBe(isGenuine);
    const request = () => new Request("https://x.example", { method: "POST", body, headers: { "Service-Signature": header } });
    for (const received of [{ body, signature: header }, { body: new TextEncoder().encode(body), signature: header }, request()]) {
      const verified = verifyAsReceiver(received, { secret: [NEW_SECRET.replace("new", "old"), SECRET] }, at);
      if (isGenuine) expect(await verified).toEqual(JSON.parse(BODY));
      else await expect(verified).rejects.toMatchObject({ code: "INVALID_SIGNATURE", status: 0 });
    }
  },
);

test("a parsed body, a body that was read, and a missing secret are told with their cure", async () => {
  const read = new Request("https://x.example", { method: "POST", body: BODY });
  await read.text();
  const express = { headers: { "service-signature": genuine }, body: JSON.parse(BODY) as unknown };
  for (const received of [{ body: JSON.parse(BODY) as string, signature: genuine }, read, express as unknown as Request]) {
    const error: unknown = await verifyAsReceiver(received, { secret: SECRET }, now).catch((thrown: unknown) => thrown);
    expect(StetError.is(error) && error.code).toBe("INVALID_INPUT");
    expect(String(error)).toContain("express.raw");
  }
  for (const secret of ["", [], undefined as unknown as string]) {
    await expect(verifyAsReceiver({ body: BODY, signature: genuine }, { secret }, now)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
  const error: unknown = await verifyAsReceiver({ body: BODY, signature: genuine }, { secret: "whsec_hidden" }, now).catch(
    (thrown: unknown) => thrown,
  );
  expect(JSON.stringify(error) + String(error)).not.toContain("whsec_hidden");
  expect(SIGNATURES[SECRET]).toHaveLength(64);
});
