import { POST_SORTS } from "@stet/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MongoServer, mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { anyCursor, anyQuery, anyText, anyValue } from "./any-request.ts";
import type { Answer } from "./request.ts";
import { type Blog, openService, type Service } from "./service.ts";
import { makeTwoTenants, MARK } from "./two-tenants.ts";

/** Never a fault, never another tenant's byte. Whoever asks may have named it, so what was sent is taken out first. */
function expectHarmless(answer: Pick<Answer, "status" | "text">, sent: string): void {
  expect(answer.status, `${sent} ${answer.text}`).toBeLessThan(500);
  expect(JSON.stringify(answer.text).replaceAll(sent, "")).not.toContain(MARK);
}

const ROUTES = [
  "posts",
  "posts/X",
  "categories",
  "categories/X",
  "tags/X",
  "authors/X",
  "media",
  "media/X",
  "search",
  "views",
  "posts/X/views",
  "changes",
  "feed.xml",
  "feed.json",
  "sitemap.xml",
  "llms.txt",
];

function throwAnything({ runs, ...options }: { runs: number; mongo?: MongoServer }): void {
  let service: Service;
  let mine: Blog;
  let foreign: readonly string[];
  let ownCursors: readonly string[];
  beforeAll(async () => {
    service = await openService(options);
    ({ mine, foreign, ownCursors } = await makeTwoTenants(service));
  });
  afterAll(() => service.stop());

  test("any cursor at any list: an answer or a refusal, never a fault, never another tenant's byte", async () => {
    const lists = ["posts", "categories", "tags", "authors", "media", "search?q=post", "views", "sitemap.xml"];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lists),
        anyCursor(foreign, ownCursors),
        fc.constantFrom("", ...POST_SORTS.map((sort) => `&sort=${sort}`)),
        async (list, cursor, sort) => {
          const path = `/blog/${list}${list.includes("?") ? "&" : "?"}cursor=${cursor}${list === "posts" ? sort : ""}`;
          const answer = await mine.get(path);
          expectHarmless(answer, cursor);
          if (answer.status !== 200) expect([answer.status, path]).toEqual([400, path]);
        },
      ),
      { numRuns: runs },
    );
    await fc.assert(
      fc.asyncProperty(anyCursor(foreign, ownCursors), async (since) =>
        expectHarmless(await mine.get(`/blog/changes?since=${since}`), since),
      ),
      { numRuns: runs / 3 },
    );
  });

  test("any query on any route: never a fault, never another tenant's byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ROUTES),
        anyValue(foreign, ownCursors),
        anyQuery(foreign, ownCursors),
        async (route, name, query) => {
          const path = `/blog/${route.replace("X", name || "x")}`;
          const text = query.map(([key, value]) => `${key}=${value}`).join("&");
          expectHarmless(
            await mine.get(text === "" ? path : `${path}?${text}`, { described: !/%|[^\w-]/.test(name) && name !== "" }),
            name,
          );
        },
      ),
      { numRuns: runs },
    );
  });

  test("what another tenant owns is not found under any name it has", async () => {
    for (const route of ROUTES.filter((candidate) => candidate.includes("X"))) {
      for (const name of foreign) {
        const answer = await mine.get(`/blog/${route.replace("X", name)}`);
        expect([route, name, answer.status]).toEqual([route, name, 404]);
      }
    }
    for (const name of foreign) {
      for (const filter of ["category", "tag", "author"]) {
        const answer = await mine.get(`/blog/posts?${filter}=${name}`);
        expect([filter, name, answer.json.data]).toEqual([filter, name, []]);
      }
    }
    expect((await mine.get(`/blog/search?q=${MARK}`)).json.data).toEqual([]);
  });

  test("any token of a preview and any body of a collector: never a fault", async () => {
    const body = fc.oneof(
      anyText,
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(...foreign).map((name) => JSON.stringify({ website: name, post: name })),
    );
    const type = fc.constantFrom(
      "application/json",
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/json; charset=latin1",
      "",
      "multipart/form-data",
    );
    await fc.assert(
      fc.asyncProperty(anyValue(foreign, ownCursors), body, type, async (token, text, contentType) => {
        expectHarmless(await service.ask(`/preview/${token || "x"}`, { described: false }), token);
        expectHarmless(await service.ask("/collect", { method: "POST", body: text, headers: { "Content-Type": contentType } }), text);
      }),
      { numRuns: runs / 3 },
    );
  });
}

describe("with content in PostgreSQL", () => throwAnything({ runs: 600 }));
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (mongo) => throwAnything({ runs: 150, mongo }));
