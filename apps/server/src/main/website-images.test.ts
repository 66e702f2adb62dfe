import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import type { WebsiteId } from "#domain/ids";
import { type OwnImageStore, sealContextOf } from "#domain/own-image-store";
import { timestamp } from "#domain/time";
import { openOwnImages } from "./own-images.ts";
import { websiteImages } from "./website-images.ts";

const websiteId = "site_1" as WebsiteId;
const KEY = "site_1/media_1.png";

/** The store of a website, on a bucket that answers this to PUT and has a file. */
async function openStore(statusOfPut: number) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "PUT") response.writeHead(statusOfPut).end("<Error><Code>EntityTooLarge</Code></Error>");
    else response.end("image");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const now = new Date();
  const own = openOwnImages({ privateTargets: true, clock: () => now });
  onTestFinished(() => {
    own.close();
    server.closeAllConnections();
    server.close();
  });
  const seals = createKeyring(["a secret"]);
  const address = `s3+http://KEY:SECRET@127.0.0.1:${(server.address() as AddressInfo).port}/pictures`;
  const record: OwnImageStore = {
    ...(own.read(address) as Exclude<ReturnType<typeof own.read>, string>),
    websiteId,
    state: "active",
    address: seals.seal("credentials", sealContextOf(websiteId), address),
    usesPublicBase: false,
    error: null,
    errorAt: null,
    connectedAt: timestamp(now),
    activatedAt: null,
  };
  const said: (string | null)[] = [];
  const records = { get: async () => record, noteError: async (_: WebsiteId, error: string | null) => void said.push(error) };
  return { said, store: websiteImages({ records, seals, own, clock: () => now, onTrouble: () => {} })(websiteId) };
}

test.each([
  ["refuses single files is read as before", 400, "image"],
  ["is away is left alone, by readers too", 503, "UNAVAILABLE"],
])("a store that %s", async (_, status, answer) => {
  const { store, said } = await openStore(status);
  const put = () => store.put(KEY, Buffer.from("abc"), "image/png").catch((error: Error) => error);
  for (const error of await Promise.all([put(), put()])) expect(error).toMatchObject({ code: "UNAVAILABLE" });
  const got = await store.get(KEY).then(String, ({ code }: { code: string }) => code);
  expect(got).toBe(answer);
  expect(said[0]).toContain(`answered ${status}`);
});
