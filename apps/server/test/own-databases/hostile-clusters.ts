import { BSON } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import { hostileMedia, hostilePosts } from "./hostile-documents.ts";
import { HOSTILE, plain } from "./hostile-replies.ts";
import { HELLO, openScriptedCluster, type ScriptedCluster } from "./scripted-cluster.ts";

/** Opened for the service, and closed to it. */
const HOST = "127.1.9.1";
const VICTIM = "127.2.9.1";

type Script = ScriptedCluster["script"];

const batch = (found: readonly object[], id = BSON.Long.ZERO, name = "firstBatch") => ({ cursor: { id, ns: "b.b", [name]: found }, ok: 1 });
const announcing = (hosts: readonly string[]): Script => {
  const hello = { ...HELLO, setName: "rs", setVersion: 1, hosts, ismaster: false, isWritablePrimary: false };
  return { hello };
};
const MANY_FIELDS = Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`field${n}`, `text ${n}`]));
const LARGE = { text: "x".repeat(4_000_000) };

function scripts(victim: ScriptedCluster): Readonly<Record<string, Script>> {
  const replies = Object.entries(HOSTILE).map(([name, bytes]) => {
    const reply = bytes();
    return [`find ${name}`, { find: () => reply }] as const;
  });
  let id = 7;
  const many = plain(Buffer.from(BSON.serialize(batch(Array.from({ length: 20_000 }, (_, n) => ({ _id: `${n}`, ...MANY_FIELDS }))))));
  return {
    ...Object.fromEntries(replies),
    "hello larger than 20 MB": { hello: () => HOSTILE["larger than 20 MB"]!() },
    "hello compressed": { hello: () => HOSTILE.compressed!() },
    "a literal member": announcing([`${VICTIM}:${victim.port}`]),
    "a socket as a member": announcing(["/tmp/mongodb-27017.sock"]),
    "a list without an end": { find: batch([LARGE], BSON.Long.ONE), getMore: () => batch([LARGE], BSON.Long.ONE, "nextBatch") },
    "a list under other names": {
      find: batch([LARGE], BSON.Long.ONE),
      getMore: () => batch([LARGE], BSON.Long.fromInt(++id), "nextBatch"),
    },
    "a list that is longer than was asked for": { find: () => many },
    "an empty list without an end": { find: batch([], BSON.Long.ONE), getMore: () => batch([], BSON.Long.ONE, "nextBatch") },
  };
}

export interface HostileClusters {
  /** Addresses by what is wrong there; none of them can be read. */
  readonly urls: Readonly<Record<string, string>>;
  /** One that answers as it should, with documents that nobody should. */
  readonly documents: string;
  /** Connections to where nobody may go. */
  readonly victims: () => number;
  close(): Promise<void>;
}

export async function openHostileClusters(): Promise<HostileClusters> {
  const victim = await openScriptedCluster({ host: VICTIM });
  const named = await Promise.all(
    Object.entries(scripts(victim)).map(async ([name, script]) => [name, await openScriptedCluster({ host: HOST, script })] as const),
  );
  const documents = await openScriptedCluster({
    host: HOST,
    script: {
      find: ({ find, filter, limit }) => {
        const { w, _id } = filter as { w?: WebsiteId; _id?: string };
        const websiteId = w ?? (String(_id).split("/")[0] as WebsiteId);
        const all = find === "posts" ? hostilePosts(websiteId) : find === "media" ? hostileMedia(websiteId) : [];
        const found = typeof _id === "string" ? all.filter((document) => document._id === _id) : all;
        return batch(found.slice(0, Number(limit) || 9));
      },
      aggregate: batch([]),
    },
  });
  const urlOf = ({ port }: ScriptedCluster, end = "") => `mongodb://${HOST}:${port}/blog${end}`;
  return {
    urls: Object.fromEntries(named.map(([name, cluster]) => [name, urlOf(cluster, name.includes("member") ? "?replicaSet=rs" : "")])),
    documents: urlOf(documents),
    victims: () => victim.connections,
    async close() {
      for (const cluster of [victim, documents, ...named.map(([, each]) => each)]) await cluster.close();
    },
  };
}
