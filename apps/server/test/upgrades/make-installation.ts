import { type Actor, systemActor, toolActor, userActor } from "#domain/actor";
import { newId, type UserId, type WebsiteId, type WorkspaceId } from "#domain/ids";
import { MINUTE, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import type { Website } from "#domain/website";
import { imageBytes } from "#test/images";
import type { TestServices } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";
import { createDeliverer } from "#worker/webhooks/deliverer";

/** What the test of upgrades has to know of an installation: where things are, and what was shown once and is kept by people and programs. */
export interface Installation {
  readonly ownerId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId;
  readonly password: string;
  readonly apiKey: string;
  /** Null: there were none yet. */
  readonly toolToken: string | null;
  readonly webhooks: {
    /** Its secret was just rolled: the new one, and the one before. */
    readonly active: { readonly id: string; readonly secrets: readonly string[] };
    readonly failing: { readonly id: string };
    readonly paused: { readonly id: string };
  };
}

/** Something of everything, made by the operations themselves. */
export async function makeInstallation(services: TestServices): Promise<Installation> {
  const password = "correct horse battery";
  const account = { email: "ada@example.com", name: "Ada", password };
  const { id: ownerId } = await services.call(registry.create_account, systemActor("test"), account);
  const owner = userActor(ownerId);
  const { id: workspaceId } = await services.call(registry.create_workspace, owner, { name: "Acme" });
  await services.platform.workspaces.setPlan(workspaceId, "team");
  const { id: userId } = await services.makeAccount("Bob");
  await services.platform.members.add({ workspaceId, userId, role: "editor", joinedAt: timestamp(services.now) });
  await services.call(registry.invite_member, owner, { workspaceId, email: "carol@example.com", role: "contributor" });
  const website = await services.call(registry.create_website, owner, { workspaceId, name: "Blog" });
  const here = { websiteId: website.id };
  const { key: apiKey } = await services.call(registry.create_key, owner, { ...here, name: "Site" });
  await services.platform.usage.add([
    { workspaceId, ...here, keyId: null, day: "2026-11-15", route: "/blog/posts", statusClass: 2, requests: 7, counted: 7 },
  ]);

  const receiver = await openReceiver();
  const broken = await openReceiver(500);
  const addEndpoint = (url: string) => services.call(registry.create_webhook, owner, { ...here, url, events: ["post.published"] });
  const active = await addEndpoint(receiver.url);
  const failing = await addEndpoint(broken.url);
  const paused = await addEndpoint(receiver.url);
  await services.call(registry.pause_webhook, owner, { ...here, webhookId: paused.record.id });
  const publish = await writePosts(services, owner, website);
  await createDeliverer(services, { random: () => 0.5 }).drain();
  const rolled = await services.call(registry.roll_webhook_secret, owner, { ...here, webhookId: active.record.id });
  services.pass(MINUTE);
  const post = await publish("ÜBER uns");
  await services.webhooks.handOut(timestamp(services.now), () => newId("delivery", services.now.getTime()), 100);
  await Promise.all([receiver.close(), broken.close()]);

  const tool = await services.call(registry.create_ci_credential, owner, { name: "Deploy", workspaces: workspaceId, password });
  services.pass(MINUTE);
  const edit = { ...here, postId: post.id, expectedVersion: post.version, excerpt: "By a tool." };
  const edited = await services.call(registry.edit_post, toolActor(ownerId, tool.connection), edit);
  const now = timestamp(services.now);
  await services.connections.log({
    id: newId("toolCall", services.now.getTime()),
    workspaceId,
    ...here,
    connectionId: tool.connection.id,
    at: now,
    tool: "update_post",
    target: { id: post.id, label: "ÜBER uns" },
    refusal: null,
    before: post.version,
    after: edited.version,
  });
  await services.connections.touch([{ id: tool.connection.id, at: now, calls: 1 }]);
  const letter = { workspaceId, key: "notice 1", to: account.email, subject: "An endpoint fails", text: "It does." };
  await services.platform.mails.add([letter], now);
  return {
    ownerId,
    workspaceId,
    websiteId: website.id,
    password,
    apiKey,
    toolToken: tool.token,
    webhooks: {
      active: { id: active.record.id, secrets: [rolled.secret, active.secret] },
      failing: { id: failing.record.id },
      paused: { id: paused.record.id },
    },
  };
}

/** Posts in every state, of which some are live otherwise than they are written now. Answers how to publish another. */
async function writePosts(services: TestServices, owner: Actor, website: Website) {
  const here = { websiteId: website.id };
  const fieldDefinitions = [{ key: "rating", label: "Rating", type: "number" }];
  await services.call(registry.set_field_definitions, owner, { ...here, expectedVersion: website.version, fieldDefinitions });
  const image = await services.call(registry.add_media, owner, { ...here, bytes: imageBytes("png"), filename: "red.png", alt: "Red" });
  const term = (kind: string, name: string, more = {}) => services.call(registry.create_term, owner, { ...here, kind, name, ...more });
  const category = await term("category", "Café");
  const [keep, away] = [await term("tag", "Keep"), await term("tag", "Away")];
  await services.call(registry.merge_terms, owner, { ...here, sourceId: away.id, targetId: keep.id });
  const author = await term("author", "Ÿvonne", { profile: { userId: null, avatarMediaId: image.id, url: null } });

  const on = (post: { id: string; version: number }) => ({ ...here, postId: post.id, expectedVersion: post.version });
  const make = (title: string) =>
    services.call(registry.create_post, owner, {
      ...here,
      title,
      body: `The text of ${title}.\n\n![](${image.url})\n`,
      coverMediaId: image.id,
      categoryIds: [category.id],
      tagIds: [keep.id],
      authorIds: [author.id],
      fields: { rating: 4 },
    });
  const publish = async (title: string) => services.call(registry.publish_post, owner, on(await make(title)));
  await make('A draft with 日本語 and "quotes"');
  await services.call(registry.schedule_post, owner, { ...on(await make("Scheduled")), at: "2026-11-16T08:00:00.000Z" });
  await services.call(registry.delete_post, owner, on(await make("In the trash")));
  await services.call(registry.request_review, owner, { ...on(await make("In review")), note: "Please look" });
  await services.call(registry.unpublish_post, owner, on(await publish("Unpublished")));
  const first = await publish("Renamed");
  services.pass(MINUTE);
  const second = await services.call(registry.edit_post, owner, { ...on(first), slug: "another-name", body: "Other text." });
  const third = await services.call(registry.update_live_post, owner, on(second));
  services.pass(MINUTE);
  await services.call(registry.edit_post, owner, { ...on(third), title: "Renamed once more" });
  return publish;
}
