import { createPost } from "#operations/posts/create-post";
import { deletePost } from "#operations/posts/delete-post";
import { editPost } from "#operations/posts/edit-post";
import { publishPost } from "#operations/posts/publish-post";
import { requestReview } from "#operations/posts/review-post";
import { schedulePost } from "#operations/posts/schedule-post";
import { unpublishPost } from "#operations/posts/unpublish-post";
import { updateLivePost } from "#operations/posts/update-live-post";
import { deleteMedia } from "#operations/media/delete-media";
import { imageId } from "#operations/sample/helpers/images";
import { seedWebsite } from "#operations/sample/seed-website";
import { createTerm } from "#operations/terms/create-term";
import { mergeTerms } from "#operations/terms/merge-terms";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import type { Tenant, TestServices } from "#test/services";

/** Something of everything a website can hold. */
export async function fillWebsite(services: TestServices, { actor: act, owner, website }: Tenant): Promise<void> {
  const websiteId = website.id;
  await services.call(setFieldDefinitions, act, {
    websiteId,
    expectedVersion: website.version,
    fieldDefinitions: [{ key: "rating", label: "Rating", type: "number" }],
  });
  await services.call(seedWebsite, act, { websiteId, posts: 40 });
  const author = await services.call(createTerm, act, {
    websiteId,
    kind: "author",
    name: "Ÿvonne 美",
    profile: { userId: owner.id, avatarMediaId: imageId("discs"), url: "https://example.com/y" },
  });
  const [keep, merge] = [
    await services.call(createTerm, act, { websiteId, kind: "tag", name: "Keep" }),
    await services.call(createTerm, act, { websiteId, kind: "tag", name: "Away" }),
  ];
  await services.call(mergeTerms, act, { websiteId, sourceId: merge.id, targetId: keep.id });
  await services.call(deleteMedia, act, { websiteId, mediaId: imageId("weave"), evenIfUsed: true });

  const make = async (title: string, body = "Text.") =>
    services.call(createPost, act, { websiteId, title, body, authorIds: [author.id], tagIds: [keep.id], fields: { rating: 4 } });
  await make('A draft with 日本語, \u2028 and "quotes"', `Line one\n\n![](/media/${websiteId}/${imageId("hills")}.png)\n`);
  const scheduled = await make("Scheduled");
  const at = "2027-01-01T00:00:00.000Z";
  await services.call(schedulePost, act, { websiteId, postId: scheduled.id, expectedVersion: scheduled.version, at });
  const trashed = await make("In the trash");
  await services.call(deletePost, act, { websiteId, postId: trashed.id, expectedVersion: trashed.version });
  const reviewed = await make("Waiting for review");
  await services.call(requestReview, act, { websiteId, postId: reviewed.id, expectedVersion: reviewed.version, note: "Please look" });

  let renamed = await make("Renamed");
  const on = () => ({ websiteId, postId: renamed.id, expectedVersion: renamed.version });
  renamed = await services.call(publishPost, act, on());
  services.pass(60_000);
  renamed = await services.call(editPost, act, { ...on(), slug: "another-name", body: "Other text." });
  renamed = await services.call(updateLivePost, act, on());
  services.pass(60_000);
  renamed = await services.call(editPost, act, { ...on(), title: "With unpublished changes" });

  let gone = await make("Unpublished");
  gone = await services.call(publishPost, act, { websiteId, postId: gone.id, expectedVersion: gone.version });
  await services.call(unpublishPost, act, { websiteId, postId: gone.id, expectedVersion: gone.version });
}
