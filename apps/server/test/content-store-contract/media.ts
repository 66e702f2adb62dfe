import { expect } from "vitest";
import type { Media } from "#domain/media";
import type { MediaListQuery } from "#ports/media-records";
import { at, buildContent, buildLive, buildMedia, buildPost, buildPublishedPost, edited } from "../builders.ts";
import { idsOf, inOrder, rowsOf, walk } from "./reference.ts";
import type { Suite } from "./suite.ts";

export function media({ test }: Suite): void {
  test("images come newest first, then id descending; every limit gives each once", async ({ store, website }) => {
    const made = Array.from({ length: 20 }, (_, n) => buildMedia(n, { websiteId: website, createdAt: at((n * 7) % 5) }));
    for (const image of made) await store.media.insert(image);
    const expected = inOrder(made, "-createdAt", (image: Media) => image.createdAt);
    for (const limit of [1, 6, 20, 100]) {
      const pages = await walk((after) => store.media.list(website, { after, limit }));
      expect(rowsOf(pages)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(20 / limit));
    }
    const first = await store.media.list(website, { after: null, limit: 6 });
    expect(first.next).toEqual({ key: expected[5]!.createdAt, id: expected[5]!.id });
  });

  test("unused images are those that no post shows, working or live, in the trash or not, and none of the excepted", async ({
    store,
    website,
  }) => {
    const images = Array.from({ length: 6 }, (_, n) => buildMedia(n, { websiteId: website, createdAt: at(n) }));
    for (const image of images) await store.media.insert(image);
    const [working, live, trashed, free, portrait, alsoFree] = images.map((image) => image.id);
    const shows = (n: number, id: Media["id"]) => buildContent(n, { coverMediaId: id });
    await store.posts.insert(buildPost(1, { websiteId: website, working: shows(1, working!) }), { visible: false });
    const changed = buildPublishedPost(2, { websiteId: website, working: shows(2, live!) });
    await store.posts.insert(changed, { visible: true });
    await store.posts.save(edited(changed, { working: buildContent(2), workingMediaIds: [] }), { visible: false });
    const gone = buildPost(3, { websiteId: website, working: shows(3, trashed!), status: "deleted", deletedAt: at(1) });
    await store.posts.insert(gone, { visible: false });
    for (const limit of [1, 2, 9]) {
      const pages = await walk((after) => store.media.list(website, { unusedExcept: [portrait!], after, limit }));
      expect(idsOf(rowsOf(pages))).toEqual([alsoFree, free]);
    }
  });

  test("images without alt text are a list of their own, in pages and without the trash", async ({ store, website }) => {
    const images = [1, 2, 3, 4, 5].map((n) =>
      buildMedia(n, { websiteId: website, alt: n === 2 ? "Sea" : "", deletedAt: n === 4 ? at(1) : null }),
    );
    for (const image of images) await store.media.insert(image);
    for (const limit of [1, 2, 9]) {
      const pages = await walk((after) => store.media.list(website, { withoutAlt: true, after, limit }));
      expect(idsOf(rowsOf(pages))).toEqual([images[4]!.id, images[2]!.id, images[0]!.id]);
    }
  });

  test("the trash is a list of its own", async ({ store, website }) => {
    const kept = buildMedia(1, { websiteId: website });
    const thrown = buildMedia(2, { websiteId: website });
    await store.media.insert(kept);
    await store.media.insert(thrown);
    await store.media.save(edited(thrown, { deletedAt: at(5) }));
    const list = async (query: Partial<MediaListQuery>) =>
      idsOf((await store.media.list(website, { after: null, limit: 9, ...query })).rows);
    expect(await list({})).toEqual([kept.id]);
    expect(await list({ trashed: false })).toEqual([kept.id]);
    expect(await list({ trashed: true })).toEqual([thrown.id]);
    await store.media.save(edited(edited(thrown), { deletedAt: null }));
    expect(await list({})).toEqual([thrown.id, kept.id]);
  });

  test("a part of the file name is found folded, and its signs mean themselves", async ({ store, website }) => {
    for (const [n, filename] of ["Größe.PNG", "100%.png", "a_b.jpg"].entries()) {
      await store.media.insert(buildMedia(n, { websiteId: website, filename }));
    }
    const find = async (nameContains: string) =>
      (await store.media.list(website, { nameContains, after: null, limit: 9 })).rows.map((image) => image.filename);
    expect(await find("GRÖ")).toEqual(["Größe.PNG"]);
    expect(await find("größe.p")).toEqual(["Größe.PNG"]);
    expect(await find("gro")).toEqual(["Größe.PNG"]);
    expect(await find("%")).toEqual(["100%.png"]);
    expect(await find("_")).toEqual(["a_b.jpg"]);
    expect(await find(".png")).toEqual(["100%.png", "Größe.PNG"]);
  });

  test("only live: images a published post shows in its live copy, cover or body", async ({ store, website }) => {
    const images = [1, 2, 3, 4].map((n) => buildMedia(n, { websiteId: website }));
    for (const image of images) await store.media.insert(image);
    const [cover, inBody, draftOnly] = images.map((image) => image.id) as [Media["id"], Media["id"], Media["id"]];
    const content = buildContent(1, { coverMediaId: cover });
    const live = buildLive(content, { mediaIds: [cover, inBody] });
    await store.posts.insert(buildPublishedPost(1, { websiteId: website, live, workingMediaIds: [draftOnly] }), { visible: true });
    await store.posts.insert(buildPost(2, { websiteId: website, working: buildContent(2, { coverMediaId: draftOnly }) }), {
      visible: false,
    });
    for (const limit of [1, 9]) {
      const pages = await walk((after) => store.media.list(website, { onlyLive: true, after, limit }));
      expect(idsOf(rowsOf(pages))).toEqual([inBody, cover]);
    }
  });

  test("what is known of a file is saved whatever the version, and changes nothing else", async ({ store, website, otherWebsite }) => {
    const image = buildMedia(1, { websiteId: website, metadata: "unchecked" });
    await store.media.insert(image);
    await store.media.save(edited(image, { alt: "edited meanwhile" }));
    const file = { bytes: 900, metadata: "stripped" } as const;
    expect(await store.media.saveFile(image, file)).toBe("saved");
    const now = edited(image, { alt: "edited meanwhile", ...file });
    expect(await store.media.get(website, image.id)).toEqual(now);
    expect(await store.media.save(edited(now, { alt: "and after" }))).toBe("saved");
    expect(await store.media.get(website, image.id)).toMatchObject({ ...file, alt: "and after" });
    expect(await store.media.saveFile({ websiteId: otherWebsite, id: image.id }, file)).toBe("stale");
    await store.media.delete(website, image.id, 3);
    expect(await store.media.saveFile(image, file)).toBe("stale");
    expect(await store.media.get(website, image.id)).toBeNull();
  });

  test("the sweep walks the unchecked files of every website, the trash included", async ({ store, website, otherWebsite }) => {
    const before = await store.media.countNotStripped();
    const unchecked = { metadata: "unchecked" } as const;
    const images = [
      buildMedia(1, { websiteId: website, ...unchecked }),
      buildMedia(2, { websiteId: website, ...unchecked, deletedAt: at(1) }),
      buildMedia(3, { websiteId: otherWebsite, ...unchecked }),
    ];
    const others = [buildMedia(4, { websiteId: website }), buildMedia(5, { websiteId: website, metadata: "unreadable" })];
    for (const image of [...images, ...others]) await store.media.insert(image);
    const mine = async (limit: number) => {
      const found: Media[] = [];
      for (let after: Media | null = null; ;) {
        const rows: readonly Media[] = await store.media.listUnchecked(after, limit);
        found.push(...rows);
        if (rows.length < limit) return found.filter((image) => image.websiteId === website || image.websiteId === otherWebsite);
        after = rows.at(-1)!;
      }
    };
    const inOrder = images.toSorted((a, b) => (`${a.websiteId}/${a.id}` < `${b.websiteId}/${b.id}` ? -1 : 1));
    for (const limit of [1, 2, 100]) expect(await mine(limit)).toEqual(inOrder);
    expect(await store.media.countNotStripped()).toEqual({ unchecked: before.unchecked + 3, unreadable: before.unreadable + 1 });
    for (const image of images) await store.media.saveFile(image, { bytes: 1, metadata: "stripped" });
    expect(await mine(100)).toEqual([]);
    expect(await store.media.countNotStripped()).toEqual({ ...before, unreadable: before.unreadable + 1 });
  });

  test("a walk passes every image of every website once, the trash included", async ({ store, website, otherWebsite }) => {
    const images = [
      buildMedia(1, { websiteId: website }),
      buildMedia(2, { websiteId: website, metadata: "unchecked", deletedAt: at(1) }),
      buildMedia(3, { websiteId: otherWebsite }),
    ];
    for (const image of images) await store.media.insert(image);
    const found: Media[] = [];
    for (let after: Media | null = null; ;) {
      const rows: readonly Media[] = await store.media.listAll(after, 2);
      found.push(...rows.filter(({ websiteId }) => websiteId === website || websiteId === otherWebsite));
      if (rows.length < 2) break;
      after = rows.at(-1)!;
    }
    expect(found).toEqual(images.toSorted((a, b) => (`${a.websiteId}/${a.id}` < `${b.websiteId}/${b.id}` ? -1 : 1)));
  });

  test("the sweep finds trashed images of every website older than a moment, oldest first", async ({ store, website, otherWebsite }) => {
    const old = (n: number, websiteId: Media["websiteId"]) => buildMedia(n, { websiteId, deletedAt: at(-9e9 + n) });
    const images = [old(1, website), old(2, otherWebsite), old(3, website), old(4, website)];
    for (const image of images.toReversed()) await store.media.insert(image);
    expect(await store.media.listDeletedBefore(at(-9e9 + 4), 10)).toEqual(images.slice(0, 3));
    expect(await store.media.listDeletedBefore(at(-9e9 + 4), 2)).toEqual(images.slice(0, 2));
  });
}
