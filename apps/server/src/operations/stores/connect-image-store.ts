import { z } from "zod";
import { fail, Failure, invalid } from "#domain/failure";
import { type OwnImageStore, sealContextOf } from "#domain/own-image-store";
import type { Platform } from "#ports/platform";
import { websiteOperation } from "../kernel/operation.ts";
import { applyImageBase } from "./helpers/image-base.ts";
import { requireOwnImageStore } from "./helpers/own-store.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";
import { testStore } from "./helpers/test-store.ts";
import { addressInput } from "./test-image-store.ts";

/** Also how the key of a store that is in use is changed: the same bucket or account with another key keeps everything else. */
export const connectImageStore = websiteOperation({
  name: "connect_image_store",
  summary: "Connect an image storage of one's own, or change its key. It is tested first; nothing is saved when the test fails.",
  permission: "store.manage",
  input: { address: addressInput, usePublicAddress: z.boolean().default(false) },
  async run(context, { address, usePublicAddress }): Promise<ImageStoreView> {
    const { services, website, workspace, now } = context;
    await requireOwnImageStore(services.platform, context);
    const { store: facts, problem, help, step } = await testStore(services, website.id, { address, usePublicAddress });
    if (problem !== null) {
      const message = `${problem} ${help}`;
      throw new Failure("VALIDATION_FAILED", `The image storage was not connected. ${message}`, { step }, [{ field: "address", message }]);
    }
    if (usePublicAddress && facts.publicBase === null)
      throw invalid([{ field: "usePublicAddress", message: "needs a public address. Add one to the storage, or leave this off." }]);
    await services.platform.locked(workspace.id, async (platform) => {
      await requireOwnImageStore(platform, context);
      const before = await platform.ownImageStores.get(website.id);
      if (before && before.place !== facts.place) await requireUnused(platform, before);
      await platform.ownImageStores.put({
        ...facts,
        websiteId: website.id,
        address: services.seals.seal("credentials", sealContextOf(website.id), address),
        usesPublicBase: usePublicAddress,
        state: before?.state ?? "connected",
        error: null,
        errorAt: null,
        connectedAt: before?.place === facts.place ? before.connectedAt : now,
        activatedAt: before?.activatedAt ?? null,
      });
      await applyImageBase(platform, website.id);
    });
    return viewStore(services.platform, website.id);
  },
  changes: "access",
  activity: ({ website }, _, { store }) => ({
    target: { id: website.id, label: website.name },
    details: { place: store!.place, key: store!.shown.key ?? "" },
  }),
});

/** Another place can take its place: no image lies there or is on its way. */
async function requireUnused(platform: Platform, { websiteId, place, state }: OwnImageStore): Promise<void> {
  if (state !== "connected" || (await platform.mediaFiles.sums(websiteId)).own.files > 0)
    throw fail("INVALID_TRANSITION", `Images of this website are stored in ${place}. Disconnect it first, then connect another one.`);
  if ((await platform.moves.get(websiteId, "images"))?.state === "running")
    throw fail("INVALID_TRANSITION", `Images of this website are being moved to ${place}. Stop that first, then connect another one.`);
}
