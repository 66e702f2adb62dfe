import { expect, test } from "vitest";
import type { RevisionId } from "#domain/ids";
import { revisionsToThin } from "#domain/revisions-to-thin";
import type { Timestamp } from "#domain/time";
import { buildPost, buildRevision } from "#test/builders";

const post = buildPost(1);
const revision = (id: string, at: string, wasLive = false) =>
  buildRevision(1, post, { id: id as RevisionId, at: at as Timestamp, wasLive });

test("of each hour the newest revision stays", () => {
  const revisions = [
    revision("a", "2026-01-01T10:01:00.000Z"),
    revision("b", "2026-01-01T10:30:00.000Z"),
    revision("c", "2026-01-01T10:59:59.999Z"),
    revision("d", "2026-01-01T11:00:00.000Z"),
  ];
  expect(revisionsToThin(revisions).flatMap((group) => group.ids)).toEqual(["a", "b"]);
});

test("a revision that was live is never thinned away", () => {
  const revisions = [revision("a", "2026-01-01T10:01:00.000Z", true), revision("b", "2026-01-01T10:30:00.000Z")];
  expect(revisionsToThin(revisions)).toEqual([]);
});
