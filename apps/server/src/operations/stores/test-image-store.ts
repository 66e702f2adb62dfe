import { z } from "zod";
import { websiteOperation } from "../kernel/operation.ts";
import { requireOwnImageStore } from "./helpers/own-store.ts";
import { type StoreTest, testStore } from "./helpers/test-store.ts";

export const addressInput = z.string().min(1).max(6_000);

export const testImageStore = websiteOperation({
  name: "test_image_store",
  summary: "Try whether an image storage can be written, read, listed and deleted from. Nothing is saved.",
  permission: "store.manage",
  input: { address: addressInput, usePublicAddress: z.boolean().default(false) },
  async run(context, input): Promise<StoreTest> {
    await requireOwnImageStore(context.services.platform, context);
    return testStore(context.services, context.website.id, input);
  },
  activity: "none",
});
