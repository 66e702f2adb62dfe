import { verifyWebhook } from "@stet/client";
import { expect, test } from "vitest";
import { makeSecret, signEvent } from "../src/session/sign-event.ts";

test("what listen signs, the client library verifies", async () => {
  const secret = makeSecret();
  const body = JSON.stringify({ id: "evt_1", type: "post.published", note: "ä" });
  await expect(verifyWebhook({ body, signature: signEvent(body, secret, new Date()) }, { secret })).resolves.toMatchObject({ id: "evt_1" });
  await expect(verifyWebhook({ body, signature: signEvent(body, makeSecret(), new Date()) }, { secret })).rejects.toThrow();
});
