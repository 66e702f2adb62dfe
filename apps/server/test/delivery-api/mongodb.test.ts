import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import type { ContentStore } from "#ports/content-store";
import { fillBusyWebsite } from "#test/delivery/busy-website";
import { copyContent } from "#test/delivery/copy-content";
import { ferretdb, givenMongo, type MongoServer, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { oneStore } from "#test/one-store";
import { readEverything } from "./read-everything.ts";
import type { Answer } from "./request.ts";
import { type Blog, type Node, openService, type Service, startNode } from "./service.ts";

vi.setConfig({ testTimeout: 120_000 });

let service: Service;
let blog: Blog;
let since: string;
let ours: Map<string, Answer>;
beforeAll(async () => {
  service = await openService();
  blog = await service.blog();
  since = (await blog.get("/blog/changes")).json.cursor;
  await fillBusyWebsite(service.services, blog.tenant, 8);
  ours = await everything(service);
});
afterAll(() => service.stop());

/** Every content route; search is excepted by name (decision 0008): its ranking is the engine's. */
const everything = (node: Node) =>
  readEverything((path, ask) => node.ask(path, { key: blog.key, ...ask }), {
    since,
    names: ["renamed-once", "renamed-secretly", "merged", "news", "deleted", "unused", "nothing"],
  });

/** What a client sees, without what differs from one request to the next. */
function visible({ status, headers, text }: Answer): object {
  const { date: _, "x-request-id": __, ratelimit: ___, ...rest } = headers;
  return { status, headers: rest, text: text.replaceAll(/"requestId":"[^"]*"/g, "") };
}

function alike(server: MongoServer): void {
  let content: ContentStore;
  let node: Node;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await server.start();
    stop = started.stop;
    content = await openMongoContent({ url: started.url, database: testDatabaseName(), onVisibleChange: async () => {}, sanitizeHtml });
    await copyContent(service.services.contentOf(blog.tenant.website), content, blog.tenant.website.id);
    node = await startNode({ ...service.services, contents: oneStore(content) });
  });
  afterAll(async () => {
    await node.stop();
    await content.close();
    await stop();
  });

  test("the content routes with content in MongoDB: byte-identical answers, ETags included; ids and slugs are unchanged", async () => {
    const theirs = await everything(node);
    expect([...theirs.keys()]).toEqual([...ours.keys()]);
    for (const [address, answer] of ours) expect([address, visible(theirs.get(address)!)]).toEqual([address, visible(answer)]);
  });

  test("the search route answers in the same form", async () => {
    const [answer, own] = [await node.ask("/blog/search?q=Number", { key: blog.key }), await blog.get("/blog/search?q=Number")];
    expect([answer.status, Object.keys(answer.json.data[0])]).toEqual([200, Object.keys(own.json.data[0])]);
  });
}

/** Written by operations, not copied. */
function writtenAndRead(server: MongoServer): void {
  let mongo: Service;
  beforeAll(async () => {
    mongo = await openService({ mongo: server });
  });
  afterAll(() => mongo.stop());

  test("with content in MongoDB a published change is visible to the next request on the same node", async () => {
    const fresh = await mongo.blog();
    const tag = await fresh.write.term("tag", "Before");
    let post = await fresh.write.post("Post", { tagIds: [tag.id] });
    for (let n = 0; n < 5; n++) {
      post = await fresh.write.revise(post, { title: `Title ${n}`, slug: `slug-${n}` });
      const [one, list] = await Promise.all([fresh.get(`/blog/posts/slug-${n}`), fresh.get("/blog/posts?tag=before")]);
      expect([one.json.data.title, list.json.data[0].slug]).toEqual([`Title ${n}`, `slug-${n}`]);
    }
    expect((await fresh.get("/blog/posts/post")).json.data).toMatchObject({ slug: "slug-4", slugRedirectedFrom: "post" });
    await fresh.write.editTerm(tag, { name: "After" });
    expect((await fresh.get("/blog/posts/slug-4")).json.data.tags[0].name).toBe("After");
    await fresh.write.edit(post, { title: "SECRET" });
    expect((await fresh.get("/blog/posts/slug-4")).text).not.toContain("SECRET");
    await fresh.write.trash(await fresh.write.post("Gone"));
    expect((await fresh.get("/blog/posts/gone")).status).toBe(404);
  });

  test("with content in MongoDB another tenant's posts are 404", async () => {
    const [mine, theirs] = [await mongo.blog(), await mongo.blog()];
    const post = await theirs.write.post("Theirs");
    for (const name of ["theirs", post.id]) expect((await mine.get(`/blog/posts/${name}`)).status).toBe(404);
  });
}

withPart("FerretDB 1.24", ferretdb.find(), (server) => alike(server));
// At the level of the routes both give the same bytes (src/delivery/one-answer.test.ts).
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => writtenAndRead(server));
const given = givenMongo();
if (given)
  withPart("MongoDB", given, (server) => {
    alike(server);
    writtenAndRead(server);
  });
