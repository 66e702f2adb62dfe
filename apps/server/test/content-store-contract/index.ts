import { addresses } from "./addresses.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { testId } from "../builders.ts";
import { changeFeed } from "./change-feed.ts";
import { claims } from "./claims.ts";
import { concurrency } from "./concurrency.ts";
import { contentVersions } from "./content-versions.ts";
import { copies } from "./copies.ts";
import { counts } from "./counts.ts";
import { erasing } from "./erasing.ts";
import { liveLists } from "./live-lists.ts";
import { media } from "./media.ts";
import { paging } from "./paging.ts";
import { pagingUnderWrites } from "./paging-under-writes.ts";
import { pastSlugs } from "./past-slugs.ts";
import { pending } from "./pending.ts";
import { postLists } from "./post-lists.ts";
import { recordsBeside } from "./records-beside.ts";
import { renderings } from "./renderings.ts";
import { revisions } from "./revisions.ts";
import { roundTrips } from "./round-trips.ts";
import { saving } from "./saving.ts";
import { search } from "./search.ts";
import type { Exemption, OpenedStore, Suite, Tools } from "./suite.ts";
import { terms } from "./terms.ts";
import { walls } from "./walls.ts";
import { wholeSaves } from "./whole-saves.ts";

const CAPABILITIES: Readonly<Record<string, (suite: Suite) => void>> = {
  "round trips": roundTrips,
  saving,
  "whole saves": wholeSaves,
  concurrency,
  "walls between websites": walls,
  paging,
  "paging under writes": pagingUnderWrites,
  "lists of posts": postLists,
  "lists of live posts": liveLists,
  "lists of past slugs": pastSlugs,
  "counts of terms": counts,
  "addresses for sitemaps": addresses,
  terms,
  media,
  claims,
  revisions,
  "records beside content": recordsBeside,
  pending,
  renderings,
  search,
  "change feed": changeFeed,
  "content versions": contentVersions,
  copies,
  erasing,
};

/** What every content store must do, whichever engine it stands on. */
export function contentStoreContract(adapter: {
  readonly name: string;
  readonly open: () => Promise<OpenedStore>;
  /** False when the adapter keeps no content version of its own. */
  readonly contentVersion?: boolean;
  readonly exempt?: readonly Exemption[];
  /** The smallest page to walk every post by, where each page costs a full read; 1 unless told. */
  readonly smallestPage?: number;
  /** Which tests are run; all of them unless told, and with STET_SOAK=1. */
  readonly only?: (test: { readonly capability: string; readonly title: string }) => boolean;
}): void {
  const reasons = new Map((adapter.exempt ?? []).map((exemption) => [exemption.test, exemption.because]));
  const titles = new Set<string>();
  let opened: OpenedStore;
  let websites = 1_000;
  const only = process.env["STET_SOAK"] ? undefined : adapter.only;
  let capability = "";
  let added = 0;
  let left = 0;
  /** While tests read what was made for all of them. */
  let isKept = false;

  const tools = (): Tools => ({
    store: opened.store,
    website: testId("website", websites++),
    otherWebsite: testId("website", websites++),
  });
  const register = (title: string, run: () => Promise<void>) => {
    if (titles.has(title)) throw new Error(`Two tests of the suite have the title "${title}". Exemptions go by title: rename one.`);
    titles.add(title);
    const because = reasons.get(title);
    if (because !== undefined) {
      console.info(`${adapter.name} is exempt from "${title}" because ${because}`);
    } else if (only?.({ capability, title }) ?? true) {
      added += 1;
      test(title, run);
    } else {
      left += 1;
    }
  };
  /** Vitest takes a group without tests for an error. */
  const group = (name: string, add: () => void) => {
    added += 1;
    describe(name, () => {
      const before = added;
      add();
      if (added === before) test.skip("its tests (STET_SOAK=1)", () => {});
    });
  };
  const suite: Suite = {
    limits: (...limits) => limits.filter((limit) => limit >= (adapter.smallestPage ?? 1)),
    test: (title, run) => register(title, () => run(tools())),
    readingOne(what, make, tests) {
      group(what, () => {
        let given: Tools & { readonly made: Awaited<ReturnType<typeof make>> };
        beforeAll(async () => {
          isKept = true;
          const theirs = tools();
          given = { ...theirs, made: await make(theirs) };
        });
        afterAll(async () => {
          isKept = false;
          await opened.empty?.();
        });
        tests((title, run) => register(title, () => run(given)));
      });
    },
    testVersion(title, run) {
      if (adapter.contentVersion === false) return;
      register(title, () => {
        const given = tools();
        const read = opened.contentVersion;
        if (!read) throw new Error("The adapter gave no contentVersion reader. Give one, or say contentVersion: false.");
        return run({ ...given, contentVersion: () => read(given.website) });
      });
    },
  };

  describe(`content store: ${adapter.name}`, () => {
    beforeAll(async () => {
      opened = await adapter.open();
    });
    afterAll(async () => {
      await opened?.close();
    });
    afterEach(async () => {
      if (!isKept) await opened.empty?.();
    });
    for (const [name, add] of Object.entries(CAPABILITIES)) {
      group(name, () => {
        capability = name;
        add(suite);
      });
    }
    if (only) test(`STET_SOAK=1 runs the rest of the suite here`, (context) => context.skip(`${left} tests were left to it`));
    test("every exemption names a test of the suite", () => {
      expect([...reasons.keys()].filter((title) => !titles.has(title))).toEqual([]);
    });
  });
}
