import { POST_STATUSES, type PostStatus } from "@stet/contract";
import { describe, expect, test } from "vitest";
import type { Failure } from "#domain/failure";
import { POST_ACTIONS, type PostAction, transition } from "#domain/transitions";

/** The state table of the contract (§3), written down a second time: state → action → new state, event. */
const CONTRACT: Record<PostStatus, Partial<Record<PostAction, [PostStatus | null, string | null]>>> = {
  draft: { publish: ["published", "post.published"], schedule: ["scheduled", null], delete: ["deleted", "post.deleted"] },
  scheduled: {
    publish: ["published", "post.published"],
    schedule: ["scheduled", null],
    unpublish: ["draft", null],
    delete: ["deleted", "post.deleted"],
  },
  published: { unpublish: ["unpublished", "post.unpublished"], update: ["published", "post.updated"], delete: ["deleted", "post.deleted"] },
  unpublished: { publish: ["published", "post.published"], schedule: ["scheduled", null], delete: ["deleted", "post.deleted"] },
  deleted: { restore: ["draft", null], purge: [null, null] },
};

describe.each(POST_STATUSES)("a %s post", (status) => {
  test.each(POST_ACTIONS)("%s", (action) => {
    const expected = CONTRACT[status][action];
    if (expected) {
      const { to, event } = transition(status, action);
      expect([to, event]).toEqual(expected);
    } else {
      expect(() => transition(status, action)).toThrow(expect.objectContaining({ code: "INVALID_TRANSITION" }) as Failure);
    }
  });
});

test("a refused transition says what is possible instead", () => {
  expect(() => transition("deleted", "publish")).toThrow("A deleted post cannot be published. Possible now: restore, purge.");
});
