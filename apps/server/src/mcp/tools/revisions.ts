import { z } from "zod";
import type { DiffPart } from "@stet/markdown";
import {
  diffRevisions as diffRevisionsOperation,
  listRevisions as listRevisionsOperation,
  restoreRevision as restoreRevisionOperation,
} from "#operations/posts/revisions";
import { argumentOf } from "../answers.ts";
import { BY_PEOPLE, fenced, oneLine, quoted } from "../content.ts";
import { postStep } from "../post-step.ts";
import { listText, nextCursor, PAGE, paging, post, website } from "../shapes.ts";
import { tool } from "../tool.ts";

const revision = z.string().describe("Revision id, rev_…");
/** Characters of unchanged text that are shown around a change. */
const AROUND = 60;
const MOST_DIFF_CHARACTERS = 20_000;

export const listRevisions = tool({
  name: "list_revisions",
  title: "History of a post",
  description:
    "Lists earlier versions of a post, newest first: when, by whom (a person, you, another tool, Stet), and whether readers saw it (`wasLive`).",
  kind: "read",
  input: { website, post, ...paging },
  output: {
    revisions: z.array(
      z.object({ id: z.string(), version: z.int(), kind: z.string(), at: z.string(), by: z.string(), wasLive: z.boolean() }),
    ),
    nextCursor,
  },
  async run(call, { website: given, post: named, limit = PAGE, ...query }) {
    const websiteId = await call.website(given);
    const postId = await call.post(websiteId, named);
    const page = await call.run(listRevisionsOperation, { websiteId, postId, limit, ...query });
    const revisions = page.items.map(({ id, version, kind, at, author, wasLive }) => ({
      id,
      version,
      kind,
      at,
      by: author.id === call.caller.connection.id ? "you" : BY[author.type],
      wasLive,
    }));
    const lines = revisions.map((one) => `${one.id} v${one.version} ${one.kind} ${one.at} by ${one.by}${one.wasLive ? ", was live" : ""}`);
    return { data: { revisions, nextCursor: page.nextCursor }, text: listText(lines, page.nextCursor, "No earlier versions yet.") };
  },
});

/** A model that wants back what a person wrote looks for their last version. */
const BY = { user: "a person", tool: "another tool", system: "Stet" } as const;

export const diffRevisions = tool({
  name: "diff_revisions",
  title: "Compare versions of a post",
  description:
    "Shows what changed between two revisions, or from one to the working copy (leave out `to`). Removed words are shown as [-removed-], added ones as {+added+}; long unchanged text is shortened to ….",
  kind: "read",
  input: { website, post, from: revision, to: revision.optional() },
  output: { title: z.string(), excerpt: z.string(), body: z.string(), otherFields: z.array(z.string()) },
  async run(call, input) {
    const websiteId = await call.website(input.website);
    const postId = await call.post(websiteId, input.post);
    const diff = await call.run(diffRevisionsOperation, {
      websiteId,
      postId,
      fromRevisionId: input.from,
      ...(input.to && { toRevisionId: input.to }),
    });
    const data = {
      title: written(diff.title),
      excerpt: written(diff.excerpt),
      body: written(diff.body),
      otherFields: diff.fields.map(({ field }) => argumentOf(field)),
    };
    const lines = [
      data.title && `title: ${quoted(data.title)}`,
      data.excerpt && `excerpt: ${quoted(data.excerpt)}`,
      data.otherFields.length > 0 && `also changed: ${data.otherFields.map(oneLine).join(", ")}`,
      data.body && `body:\n${fenced(`changes of the text of ${postId}, ${BY_PEOPLE}`, data.body)}`,
    ].filter(Boolean);
    return { data, text: lines.length > 0 ? lines.join("\n") : "No differences." };
  },
});

function written(parts: readonly DiffPart[]): string {
  const text = parts
    .map(({ type, text: words }) => {
      if (type === "removed") return `[-${words}-]`;
      if (type === "added") return `{+${words}+}`;
      return words.length <= 2 * AROUND ? words : `${words.slice(0, AROUND)}…${words.slice(-AROUND)}`;
    })
    .join("");
  return (text.length <= MOST_DIFF_CHARACTERS ? text : `${text.slice(0, MOST_DIFF_CHARACTERS)}… (cut)`).toWellFormed();
}

export const restoreRevision = postStep({
  name: "restore_revision",
  title: "Restore a version of a post",
  description:
    "Restores an earlier version of a post, given by its revision id. It is saved as a new version, so nothing is lost. The address (slug) stays.",
  kind: "write",
  operation: restoreRevisionOperation,
  more: { revision },
  given: (_, { revision: revisionId }) => ({ revisionId }),
  said: "Restored:",
  next: "Readers see it after publish_post.",
});
