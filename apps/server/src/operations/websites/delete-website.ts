import type { WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { closing } from "../kernel/closing.ts";
import { requireTypedName, typedName } from "../kernel/require-typed-name.ts";
import { websiteOperation } from "../kernel/operation.ts";

/** Gone at once for keys, tools and people. The sweep erases it after 30 days. */
export const deleteWebsite = websiteOperation({
  name: "delete_website",
  summary: "Delete a website with all its content and keys.",
  permission: "website.delete",
  input: { confirmName: typedName },
  async run({ services, website, now }, { confirmName }): Promise<{ id: WebsiteId; deletedAt: Timestamp }> {
    requireTypedName(confirmName, website.name);
    await closing(services.signals, website.id, () => services.platform.websites.markDeleted(website.id, now));
    return { id: website.id, deletedAt: now };
  },
  changes: "access",
  activity: ({ website }) => ({ target: { id: website.id, label: website.name } }),
});
