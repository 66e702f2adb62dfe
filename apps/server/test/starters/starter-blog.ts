import sharp from "sharp";
import { createKey } from "#operations/keys/create-key";
import { registry } from "#operations/registry";
import { operations as webhooks } from "#operations/webhooks/index";
import { openDashboardNode } from "#test/dashboard-node";
import { writingIn } from "#test/delivery/writing";
import { createDeliverer } from "#worker/webhooks/deliverer";

/** A body with one of everything that a style sheet has to know. */
const BODY = `Bread needs *time* more than it needs **hands**. Here is [how it goes](https://example.com).

## What you need

- Flour, water, salt
- A day

> Patience is the only ingredient you cannot buy.

:::tip[Start in the evening]
The dough works while you sleep.
:::

\`\`\`js
const hours = 18;
\`\`\`

| | grams |
|---|---|
| Flour | 500 |
| Water | 350 |

### Baking

1. Heat the oven.
2. Wait[^1].

[^1]: Really.
`;

/** The whole service with one blog that a starter can show: a category, a tag, an author with a face, and posts with and without a cover. */
export async function openStarterBlog() {
  const node = await openDashboardNode({ pages: false });
  const { services } = node;
  const tenant = await node.makeTenant();
  const here = { websiteId: tenant.website.id };
  const write = writingIn(services, tenant);
  const { key } = await services.call(createKey, tenant.actor, { ...here, name: "Starter" });
  const photo = async (color: string, filename: string) => {
    const bytes = await sharp({ create: { width: 1600, height: 900, channels: 3, background: color } })
      .jpeg()
      .toBuffer();
    return services.call(registry.add_media, tenant.actor, { ...here, bytes: new Uint8Array(bytes), filename, alt: "A loaf on a board" });
  };
  const category = await write.term("category", "Baking", { description: "Everything that rises." });
  const tag = await write.term("tag", "Sourdough");
  const author = await write.term("author", "Ada Baker", { description: "Bakes on Sundays." });
  const uploaded = await photo("#b5651d", "loaf.jpg");
  const focalPoint = { focalPoint: { x: 0.25, y: 0.75 }, expectedVersion: uploaded.version };
  const cover = await services.call(registry.edit_media, tenant.actor, { ...here, mediaId: uploaded.id, ...focalPoint });
  const terms = { categoryIds: [category.id], tagIds: [tag.id], authorIds: [author.id] };
  const bread = await write.post("Bread & butter, the slow way", {
    slug: "slow-bread",
    body: `${BODY}\n\n![Crumb](${cover.url} "Out of the oven"){.wide}\n`,
    excerpt: "Bread needs time more than it needs hands.",
    coverMediaId: cover.id,
    ...terms,
  });
  return {
    node,
    tenant,
    write,
    key,
    bread,
    terms,
    tag,
    previewOf: async (postId: string) => (await services.call(registry.create_preview, tenant.actor, { ...here, postId })).url,
    /** Answers the secret; `deliver` sends what is due. */
    addWebhook: async (url: string) => (await services.call(webhooks.create_webhook, tenant.actor, { ...here, url })).secret,
    async testWebhook() {
      const [webhook] = await services.call(webhooks.list_webhooks, tenant.actor, here);
      await services.call(webhooks.test_webhook, tenant.actor, { ...here, webhookId: webhook!.id });
      await createDeliverer(services).drain();
    },
    deliver: () => createDeliverer(services).drain(),
    stop: () => node.stop(),
  };
}
