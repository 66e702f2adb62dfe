import type { ContentSource } from "#present/content-source";
import type { ReadContext } from "./read-route.ts";

export const sourceOf = ({ website, content, services }: ReadContext): ContentSource => ({
  websiteId: website.id,
  content,
  websiteUrl: website.settings.publicUrl,
  publicUrl: services.publicUrl,
  imageBase: website.imageBase,
});
