import { describe, expect, test } from "vitest";
import { createRouter } from "./router.ts";

const find = createRouter(
  [
    "/blog/posts",
    "/blog/posts/{slugOrId}",
    "/blog/posts/{slugOrId}/views",
    "/blog/{kind}/{slug}",
    "/blog/feed.xml",
    "/preview/{token}",
  ].map((path) => ({ path, value: path })),
);

describe("a path finds its route", () => {
  test.each([
    ["/blog/posts", "/blog/posts", {}],
    ["/blog/posts/a-post", "/blog/posts/{slugOrId}", { slugOrId: "a-post" }],
    ["/blog/posts/views", "/blog/posts/{slugOrId}", { slugOrId: "views" }],
    ["/blog/posts/a/views", "/blog/posts/{slugOrId}/views", { slugOrId: "a" }],
    ["/blog/tags/red", "/blog/{kind}/{slug}", { kind: "tags", slug: "red" }],
    ["/blog/feed.xml", "/blog/feed.xml", {}],
    ["/preview/abc", "/preview/{token}", { token: "abc" }],
    ["/blog/posts/%E2%82%AC", "/blog/posts/{slugOrId}", { slugOrId: "€" }],
    ["/blog/posts/__proto__", "/blog/posts/{slugOrId}", { slugOrId: "__proto__" }],
  ])("%s", (path, route, params) => expect(find(path)).toEqual({ value: route, params }));

  test.each([
    "",
    "/",
    "/blog",
    "/blog/",
    "/blog/posts/",
    "//blog/posts",
    "/blog/posts/a/",
    "/blog/posts/a/views/",
    "/blog/posts//views",
    "/x",
  ])("%j has none", (path) => expect(find(path)).toBeNull());
});

test("two routes of one shape are a mistake that is found at the start", () => {
  expect(() =>
    createRouter([
      { path: "/a/{x}", value: 1 },
      { path: "/a/{y}", value: 2 },
    ]),
  ).toThrow("Two routes");
});
