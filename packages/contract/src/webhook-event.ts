import { z } from "zod";
import { postSummary } from "./delivery.ts";
import { EVENT_TYPES, POST_STATUSES } from "./lists.ts";

/** An event that is no change of a post: someone asked whether the receiver works. */
export const TEST_EVENT = "webhook.test";

export const postReference = z
  .strictObject({ id: z.string() })
  .meta({ id: "PostReference", description: "A post that was never published: only its id is told." });

/** The JSON body of every delivery. */
export const webhookEvent = z
  .strictObject({
    id: z.string().meta({
      description: "The same with every attempt: remember it to take an event once.",
      examples: ["evt_01h455vb4pex5vsknk084sn02q"],
    }),
    type: z.enum([...EVENT_TYPES, TEST_EVENT]),
    apiVersion: z.literal("v1"),
    createdAt: z.string().datetime({ precision: 3 }),
    website: z.strictObject({ id: z.string(), name: z.string() }),
    actor: z.strictObject({ type: z.enum(["user", "tool", "system"]), id: z.string() }),
    data: z.strictObject({
      post: z.union([postSummary, postReference, z.null()]).meta({
        description: "The post as lists show it; of a deleted post that was never published only the id; null in a test.",
      }),
      version: z.int().meta({ description: "The higher version of a post is newer, whatever came first." }),
      status: z.enum(POST_STATUSES).nullable(),
      previousSlug: z.string().nullable().meta({ description: "The slug before, when the change renamed the post." }),
      changed: z.array(z.string()).meta({ description: "Which public fields changed." }),
      coalesced: z.array(z.string()).optional().meta({ description: "The other events that this one stands for, oldest first." }),
    }),
  })
  .meta({ id: "WebhookEvent" });

export type WebhookEventJson = z.infer<typeof webhookEvent>;
