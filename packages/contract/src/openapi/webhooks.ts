import { EVENT_TYPES, type EventType } from "../lists.ts";
import { TEST_EVENT } from "../webhook-event.ts";
import type { Examples } from "./examples.ts";
import type { Operation, Parameter } from "./types.ts";
import { refTo } from "./types.ts";

const SUMMARIES = {
  "post.published": "A post was published",
  "post.updated": "The live version of a post changed",
  "post.unpublished": "A post was unpublished",
  "post.deleted": "A post was moved to the trash",
  [TEST_EVENT]: "Somebody tested the endpoint",
} as const satisfies Record<EventType | typeof TEST_EVENT, string>;

const header = (name: string, description: string, example: string, schema: Parameter["schema"] = { type: "string" }): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
  example,
});

const SENT_WITH: readonly Parameter[] = [
  header(
    "Service-Signature",
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint's secret. There can be several `v1`. Refuse what was signed more than five minutes ago.",
    "t=1763200931,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    { type: "string", pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$" },
  ),
  header("Stet-Event-Id", "The event, as in the body.", "evt_01h455vb4pex5vsknk084sn02q"),
  header("Stet-Delivery-Id", "The event on its way to this endpoint: the same with every attempt.", "dlv_01h455vb4pex5vsknk084sn02q"),
  header("Stet-Attempt", "1 for the first attempt.", "1", { type: "integer", minimum: 1 }),
];

/** What a receiver is sent, for each event. */
export const webhooks = (examples: Examples): Readonly<Record<string, { readonly post: Operation }>> =>
  Object.fromEntries(
    ([...EVENT_TYPES, TEST_EVENT] as const).map((type) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
          summary: SUMMARIES[type],
          description:
            "Sent to the endpoints that chose this event. Verify the signature over the bytes as they came, before parsing them.",
          tags: ["Changes"],
          security: [],
          parameters: SENT_WITH,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: refTo("schemas", "WebhookEvent"),
                examples: { example: { value: exampleOf(examples, type) } },
              },
            },
          },
          responses: {
            "2XX": { description: "Taken. Answer within 15 seconds and do the work afterwards." },
            "410": { description: "Switches the endpoint off." },
            default: { description: "Not taken. It is sent again later, up to 8 times in all." },
          },
        },
      },
    ]),
  );

const STATUSES = {
  "post.published": "published",
  "post.updated": "published",
  "post.unpublished": "unpublished",
  "post.deleted": "deleted",
} as const;

const exampleOf = ({ event }: Examples, type: EventType | typeof TEST_EVENT): Examples["event"] =>
  type === TEST_EVENT
    ? { ...event, type, data: { post: null, version: 0, status: null, previousSlug: null, changed: [] } }
    : {
        ...event,
        type,
        data: type === "post.updated" ? event.data : { ...event.data, status: STATUSES[type], previousSlug: null, changed: [] },
      };
