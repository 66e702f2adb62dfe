import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { createCollector } from "#delivery/collect";
import { createFindMediaFile } from "#delivery/media-file";
import { rememberFiles } from "#delivery/remembered-files";
import { newId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { writingIn } from "#test/delivery/writing";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { createMedia } from "./media.ts";

test("images are served and visits counted while writers hold all of their connections", async () => {
  const owner = closedAtEnd(await openTestDatabase());
  const database = openDatabase({ url: owner.url, connections: { reads: 1, writes: 1, jobs: 1 } });
  const services = closedAtEnd(await openTestServices({}, database));
  const tenant = await services.makeTenant();
  const write = writingIn(services, tenant);
  const image = await write.image("a.gif");
  await write.post("Read");
  const collector = createCollector({ ...services, publicUrl: "https://stet.test" }, { onTrouble: services.onTrouble });
  const visit = { website: tenant.website.id, referrer: null, address: "192.0.2.1", userAgent: "Mozilla/5.0" };
  const collect = (slug: string) => collector.collect({ ...visit, post: slug, origin: null, wantsPrivacy: false, isPrefetch: false });
  // The salt of the day is there.
  await collect("read");
  await collector.flush();
  const handle = createMedia(rememberFiles(createFindMediaFile(services), services.signals));
  const server = createServer((request, response) => void handle(request, response, { path: request.url!, requestId: newId("request") }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const held = Promise.withResolvers<void>();
  const holding = database.transaction(async (connection) => {
    await connection.query({ text: "SELECT 1" });
    await held.promise;
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${image.url}`;
    expect((await fetch(url, { signal: AbortSignal.timeout(5_000) })).status).toBe(200);
    // One that is not remembered.
    await collect("another");
  } finally {
    held.resolve();
    await holding;
    server.closeAllConnections();
    server.close();
    await collector.close();
  }
});
