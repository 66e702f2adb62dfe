import type { MediaId } from "#domain/ids";
import { registry } from "#operations/registry";
import { distinctImage } from "#test/images";
import type { Tenant, TestServices } from "#test/services";
import { runMove } from "#worker/moving/run-move";

let uploads = 0;

/** What the tests of own image stores do again and again, on one website. */
export function onWebsite(services: TestServices, tenant: Tenant) {
  const here = { websiteId: tenant.website.id };
  const subject = { websiteId: tenant.website.id, subject: "images" } as const;
  const call = <Name extends keyof typeof registry>(name: Name, input: Record<string, unknown> = {}, actor = tenant.actor) =>
    services.call(registry[name], actor, { ...here, ...input });
  const at = {
    here,
    call,
    async upload() {
      const bytes = distinctImage(++uploads);
      const { id, url } = await call("add_media", { bytes, filename: `dot-${uploads}.gif` });
      return { id, url, bytes, key: `${tenant.website.id}/${id}.gif` };
    },
    storeOf: async (id: string) => (await services.platform.mediaFiles.get(tenant.website.id, id as MediaId))?.store,
    /** Lets rests and leases be over at once: what waits for the clock is not what these tests are about. */
    hurry: () => services.database.query({ text: "UPDATE moves SET look_at = now() WHERE website_id = $1", values: [tenant.website.id] }),
    /** Takes steps until nothing is left to do, or it goes wrong. */
    async finish(running: TestServices = services) {
      for (let steps = 0; steps < 200; steps++) {
        await at.hurry();
        await runMove(running, subject);
        const move = (await services.platform.moves.get(tenant.website.id, "images"))!;
        if (move.state !== "running" || move.failures > 0) return move;
      }
      throw new Error("The move does not end.");
    },
    step: (running: TestServices = services) => runMove(running, subject),
    async connected(address: string, { activate = true } = {}) {
      await call("connect_image_store", { address });
      if (activate) await call("activate_image_store");
    },
  };
  return at;
}
