import { newId, type WebsiteId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import type { Tenant, TestServices } from "#test/services";
import { INPUTS, type TenantIds, type Things } from "./operation-inputs.ts";

/** Puts one of everything into a tenant. */
export async function fillTenant(services: TestServices, tenant: Tenant): Promise<{ ids: TenantIds; things: Things }> {
  const { actor, workspace, website } = tenant;
  const ids = { workspaceId: workspace.id, websiteId: website.id };
  const here = { websiteId: website.id };
  const category = await services.call(registry.create_term, actor, { ...here, kind: "category", name: "One" });
  const other = await services.call(registry.create_term, actor, { ...here, kind: "category", name: "Two" });
  const media = await services.call(registry.add_media, actor, INPUTS.add_media(ids, {} as Things));
  const post = await services.call(registry.create_post, actor, { ...here, title: "Post" });
  const revisions = await services.call(registry.list_revisions, actor, { ...here, postId: post.id });
  const { record: key } = await services.call(registry.create_key, actor, { ...here, name: "Key" });
  const { record: webhook } = await services.call(registry.create_webhook, actor, INPUTS.create_webhook(ids, {} as Things));
  const { deliveryId } = await services.call(registry.test_webhook, actor, { ...here, webhookId: webhook.id });
  const invited = await services.call(registry.invite_member, actor, {
    workspaceId: workspace.id,
    email: "invited@example.com",
    role: "author",
  });
  const { connection } = await services.call(registry.connect_tool, actor, INPUTS.connect_tool(ids, {} as Things));
  const member = await tenant.addMember("contributor");
  const things: Things = {
    postId: post.id,
    revisionId: revisions.items[0]!.id,
    categoryId: category.id,
    otherCategoryId: other.id,
    mediaId: media.id,
    keyId: key.id,
    webhookId: webhook.id,
    deliveryId,
    userId: member.userId,
    connectionId: connection.id,
    suggestionId: await addSuggestion(services, ids.websiteId, post.id, "other words"),
    invitationId: invited.invitation.id,
    invitationToken: invited.link.split("/").at(-1)!,
    workspaceName: workspace.name,
    websiteName: website.name,
  };
  return { ids, things };
}

/** A suggestion of a connected app, as if the website held such changes. */
export async function addSuggestion(services: TestServices, websiteId: string, targetId: string, body: string): Promise<string> {
  const website = { id: websiteId as WebsiteId };
  const at = timestamp(services.now);
  const by = { type: "tool", id: newId("grant"), userId: null };
  const data = {
    label: "Post",
    status: "open",
    by,
    changedAt: at,
    baseVersion: 1,
    base: { body: "" },
    proposed: { body },
    action: null,
    decided: null,
  };
  const id = newId("suggestion");
  await services
    .contentOf(website)
    .beside.insert({ websiteId: website.id, id, kind: "suggestion", targetId, version: 1, open: true, at, data });
  return id;
}
