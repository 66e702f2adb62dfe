import type { Delivery } from "#domain/webhook";
import { websiteOperation } from "../kernel/operation.ts";
import { deliveryId, findDelivery } from "./helpers/webhook-view.ts";

export const getDelivery = websiteOperation({
  name: "get_delivery",
  summary: "Read one webhook delivery: what was sent, and the result of each attempt.",
  permission: "webhook.manage",
  input: { deliveryId },
  run: (context, input): Promise<Delivery> => findDelivery(context, input.deliveryId),
  activity: "none",
});
