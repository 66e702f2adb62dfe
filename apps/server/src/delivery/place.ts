import type { PresentingPlace } from "#present/place";
import type { DeliveryPlace } from "./read-route.ts";

export const presentingPlace = ({ website, content, services }: DeliveryPlace): PresentingPlace => ({
  websiteId: website.id,
  content,
  publicUrl: services.publicUrl,
});
