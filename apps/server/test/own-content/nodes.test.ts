import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { readRoutes } from "#delivery/read-routes";
import type { ContentHome } from "#domain/content-home";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { toolOf } from "#test/connected-tool";
import { copyContent } from "#test/delivery/copy-content";
import { writingIn } from "#test/delivery/writing";
import { type DeliveryNode, startDelivery } from "#test/delivery-node";
import { createContentStores } from "#test/one-store";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, type Tenant } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";

const services = closedAtEnd(await openTestServices());
const own = withoutWholeSave(openPostgresContent(closedAtEnd(await openTestDatabase())));
let store: ContentStore = own;
Object.assign(services, { contents: createContentStores(services.contents.managed, (_, work) => work(store)) });

let nodes: DeliveryNode[];
let tenant: Tenant;
let key: string;
let close: () => Promise<void>;
beforeAll(async () => {
  // A node that hears of changes from the database, and one that only hears that content changed.
  const signals = await openPostgresSignals(services.database, () => {});
  const deaf: typeof signals = {
    ...signals,
    subscribe: (listener) =>
      signals.subscribe((signal) => (signal === "everything" || signal.topic === "access" ? undefined : listener(signal))),
  };
  nodes = [
    await startDelivery({ ...services, signals }, { readRoutes }),
    await startDelivery({ ...services, signals: deaf }, { readRoutes }),
  ];
  tenant = await services.makeTenant();
  ({ key } = await services.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Test" }));
  close = async () => {
    for (const node of nodes) await node.stop();
    await signals.close();
  };
});
afterAll(() => close());

const titles = () =>
  Promise.all(nodes.map(async (node) => /"title":"([^"]*)"/.exec(await text((await node.get("/blog/posts", key)).body!))?.[1]));
const move = async (home: ContentHome, to: ContentHome["kind"]) => {
  await services.platform.homes.pause(tenant.website.id, 10);
  expect(await services.platform.homes.move({ id: tenant.website.id, home }, to)).toBe(true);
};

test("after a move every node answers from the new store, also one that has not heard where the website lies", async () => {
  const { managed } = services.contents;
  const { id } = await writingIn(services, tenant).post("Here");
  expect(await titles()).toEqual(["Here", "Here"]);
  await copyContent(managed, own, tenant.website.id);
  const copy = (await own.posts.get(tenant.website.id, id))!;
  const content = { ...copy.live!.content, title: "There" };
  await own.posts.save({ ...copy, version: copy.version + 1, live: { ...copy.live!, content } }, { visible: true });
  expect(await titles()).toEqual(["Here", "Here"]);
  await move({ kind: "managed", epoch: 0 }, "own");
  await expect.poll(titles, { timeout: 10_000 }).toEqual(["There", "There"]);
  await move({ kind: "own", epoch: 1 }, "managed");
  await expect.poll(titles, { timeout: 10_000 }).toEqual(["Here", "Here"]);
});

test("a tool that writes to a customer's database which hangs holds up neither its end nor another tool", async () => {
  const other = await services.makeTenant();
  const [tool, theirs] = [await toolOf(services, tenant.owner.id), await toolOf(services, other.owner.id)];
  const { home } = (await services.platform.websites.get(tenant.website.id))!;
  await move(home, "own");
  const begun = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  const insert: ContentStore["terms"]["insert"] = async (term) => {
    begun.resolve();
    await answers.promise;
    return own.terms.insert(term);
  };
  store = { ...own, terms: { ...own.terms, insert } };
  const make = (actor: typeof tool, websiteId: string, name: string) =>
    services.call(registry.create_term, actor, { websiteId, kind: "tag", name });
  // Awaited from the start: those that had not reached the database yet are refused while the tool is being disconnected.
  const hanging = Promise.allSettled(Array.from({ length: 12 }, (_, n) => make(tool, tenant.website.id, `Tag ${n}`)));
  await begun.promise;
  await make(theirs, other.website.id, "Theirs");
  const connectionId = tool.type === "tool" ? tool.grant.id : "";
  await services.call(registry.disconnect, tenant.actor, { workspaceId: tenant.workspace.id, connectionId });
  answers.resolve();
  await hanging;
  store = own;
  await expect(make(tool, tenant.website.id, "Late")).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
});
