import type { WebsiteId } from "#domain/ids";
import type { OwnStoreState } from "#domain/own-image-store";
import { NO_TROUBLE } from "#domain/own-database";
import { timestamp } from "#domain/time";
import { sealConnection } from "#operations/own-database/helpers/connection";
import type { ImageStore } from "#ports/image-store";
import type { Cluster } from "#ports/own-databases";
import type { TestServices } from "#test/services";

/**
 * Stores of a website's owner that take everything, for tests of what an operation changes for readers. What the operations do with real
 * ones is shown in own-images.test.ts and own-content.
 */
export function acceptEveryStore(services: TestServices): void {
  const files = new Map<string, Uint8Array>();
  const store: ImageStore = {
    put: async (key, bytes) => void files.set(key, bytes),
    get: async (key) => files.get(key) ?? null,
    size: async (key) => files.get(key)?.byteLength ?? null,
    async *read(key, first, last) {
      yield files.get(key)!.subarray(first, last + 1);
    },
    delete: async (key) => void files.delete(key),
    async *list(prefix) {
      yield* [...files.keys()].filter((key) => key.startsWith(prefix));
    },
  };
  Object.assign(services.ownImages, { open: () => store });
  const cluster: Cluster = {
    content: services.contents.managed,
    bringUpToDate: async () => {},
    readMarker: async () => null,
    writeMarker: async () => {},
  };
  Object.assign(services.ownDatabases, {
    test: async () => ({ passed: true, serverVersion: "8.0", latencyMillis: 1 }),
    withCluster: (_id: unknown, _connection: unknown, work: (cluster: Cluster) => unknown) => work(cluster),
  });
}

/** A store that holds every image of the website and whose public address readers get, in this state. */
export async function ownImagesOf({ platform, database, now }: TestServices, websiteId: WebsiteId, state: OwnStoreState): Promise<void> {
  const publicBase = "https://images.example";
  const facts = {
    kind: "s3",
    place: "pictures",
    shown: {},
    publicBase,
    address: "",
    usesPublicBase: true,
    error: null,
    errorAt: null,
  } as const;
  const at = timestamp(now);
  await platform.ownImageStores.put({ ...facts, websiteId, state, connectedAt: at, activatedAt: state === "connected" ? null : at });
  await database.query({ text: "UPDATE media_files SET store = 'own' WHERE website_id = $1", values: [websiteId] });
  await platform.websites.setImageBase(websiteId, state === "active" ? publicBase : null);
}

export async function ownDatabaseOf({ platform, seals, now }: TestServices, websiteId: WebsiteId): Promise<void> {
  await platform.ownDatabases.put({
    websiteId,
    connection: sealConnection(seals, websiteId, { url: "mongodb://db.example/blog", ca: null }),
    shown: "db.example/blog",
    serverVersion: "8.0",
    switches: false,
    connectedAt: timestamp(now),
    activatedAt: null,
    ...NO_TROUBLE,
  });
}
