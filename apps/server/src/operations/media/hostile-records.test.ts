import { expect, test } from "vitest";
import { DAY } from "#domain/time";
import { addMedia } from "#operations/media/add-media";
import { deleteMedia } from "#operations/media/delete-media";
import { purgeMedia } from "#operations/media/purge-media";
import { exportWebsite } from "#operations/transfer/export-website";
import { deleteWebsite } from "#operations/websites/delete-website";
import { closedAtEnd } from "#test/closed-at-end";
import { imageBytes } from "#test/images";
import { openTestServices, type Tenant } from "#test/services";
import { eraseDeleted, purgeMedia as purgeOldMedia } from "#worker/sweeps";

const services = closedAtEnd(await openTestServices());
const victim = await services.makeTenant();
const bytes = imageBytes("gif");
const theirs = await services.call(addMedia, victim.actor, { websiteId: victim.website.id, bytes, filename: "theirs.gif" });
const theirFile = `${victim.website.id}/${theirs.id}.gif`;

/** As an attacker would have it who can write to the database of the content. */
async function pointedAtTheirs({ actor, website }: Tenant) {
  const { id } = await services.call(addMedia, actor, { websiteId: website.id, bytes: imageBytes("png"), filename: "mine.png" });
  await services.call(deleteMedia, actor, { websiteId: website.id, mediaId: id });
  await services.database.query({
    text: "UPDATE media SET storage_key = $3, bytes = -1e12 WHERE website_id = $1 AND id = $2",
    values: [website.id, id, theirFile],
  });
  return { websiteId: website.id, mediaId: id };
}

test("a record that names somebody else's file neither deletes nor reads it", async () => {
  const purging = await services.makeTenant();
  await services.call(purgeMedia, purging.actor, await pointedAtTheirs(purging));
  const waiting = await services.makeTenant();
  const { websiteId } = await pointedAtTheirs(waiting);
  const exported = await services.call(exportWebsite, waiting.actor, { websiteId });
  let text = "";
  for await (const line of exported.lines) text += line;
  expect(text).not.toContain(Buffer.from(bytes).toString("base64").slice(0, 40));
  services.pass(31 * DAY);
  await purgeOldMedia(services, services.contentOf(waiting.website));
  const leaving = await services.makeTenant();
  await pointedAtTheirs(leaving);
  await services.call(deleteWebsite, leaving.actor, { websiteId: leaving.website.id, confirmName: leaving.website.name });
  services.pass(31 * DAY);
  await eraseDeleted(services);
  expect(services.files.get(theirFile)).toEqual(bytes);
  expect([...services.files.keys()]).toEqual([theirFile]);
});
