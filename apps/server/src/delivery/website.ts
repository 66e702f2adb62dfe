import type { WebsiteJson } from "@stet/contract";
import { readRoute } from "./read-route.ts";

/** What a website needs to know about itself. Help texts of fields are for writers and stay with them. */
export const getWebsite = readRoute({
  path: "/blog/website",
  query: {},
  cached: true,
  async run({ website: { id, name, settings, fieldDefinitions } }) {
    const data: WebsiteJson = {
      id,
      title: settings.title || name,
      description: settings.description,
      language: settings.language,
      url: settings.publicUrl,
      fields: fieldDefinitions.map(({ key, label, type, options, required }) => ({ key, label, type, options: [...options], required })),
    };
    return { kind: "json", value: { data } };
  },
});
