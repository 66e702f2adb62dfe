import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { openTestServices } from "#test/services";

test("where all content is in one MongoDB, connecting a database is refused with the reason, which is shown before anybody types", async () => {
  const services = await openTestServices();
  const { actor, website } = await services.makeTenant();
  const here = { websiteId: website.id };
  expect(await services.call(registry.get_own_database, actor, here)).toMatchObject({ impossible: null });
  Object.assign(services, { contents: { ...services.contents, asMover: null } });
  const { impossible } = await services.call(registry.get_own_database, actor, here);
  expect(impossible).toContain("CONTENT_URL");
  const connect = services.call(registry.connect_own_database, actor, { ...here, url: "mongodb://db.example/blog" });
  await expect(connect).rejects.toMatchObject({ code: "INVALID_TRANSITION", message: impossible });
  await services.close();
});
