import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlanName, Role } from "@stet/contract";
import { openAccounts } from "#adapters/accounts/accounts";
import { openDiskVariants } from "#adapters/disk-variants/disk-variants";
import { createGuardedFetcher } from "#adapters/guarded-fetch/fetcher";
import { createGuardedSender } from "#adapters/guarded-fetch/sender";
import { openImageProcessor } from "#adapters/image-process/open-image-processor";
import { createKeyring } from "#adapters/keyring/keyring";
import { activityNotices } from "#adapters/notices/activity-notices";
import { openPostgresContent } from "#adapters/postgres/content/open";
import type { Database } from "#adapters/postgres/database";
import { openPostgresPlatform } from "#adapters/postgres/platform/platform";
import { openPostgresReaders } from "#adapters/postgres/readers/open";
import { openPostgresOauthRecords } from "#adapters/postgres/connections/oauth-records";
import { openPostgresConnections } from "#adapters/postgres/connections/open";
import { openPostgresWebhooks } from "#adapters/postgres/webhooks/open";
import { openMailer } from "#adapters/smtp/mailer";
import { type Actor, userActor } from "#domain/actor";
import { readingOf } from "#domain/disk-space";
import { VARIANT_RECIPE } from "#domain/image-variant";
import { newId } from "#domain/ids";
import { renderMarkdown } from "#domain/markdown/render";
import { plansWith } from "#domain/plans";
import { timestamp } from "#domain/time";
import type { Website, Workspace } from "#domain/website";
import { isOutage } from "#http/shared/problem";
import { createContentStores } from "#main/content-stores";
import { createHealthBook } from "#main/database-health";
import { imageStores } from "#main/images";
import { ownContent } from "#main/own-content";
import { openOwnDatabases } from "#main/own-databases";
import { openOwnImages } from "#main/own-images";
import { websiteImages } from "#main/website-images";
import { createActivityLines } from "#operations/kernel/activity-lines";
import { execute } from "#operations/kernel/execute";
import type { InputFor, Operation, OutputFor } from "#operations/kernel/operation";
import type { Services } from "#operations/kernel/services";
import { createWriteLines } from "#operations/kernel/write-lines";
import { createWebsite } from "#operations/websites/create-website";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import type { Account } from "#ports/accounts";
import type { ContentStore } from "#ports/content-store";
import type { DiskSpace } from "#ports/disk-space";
import type { ImageProcessor } from "#ports/image-processor";
import type { ImageStore } from "#ports/image-store";
import type { Signals } from "#ports/signals";
import { openTestDatabase } from "#test/postgres";

export const TEST_SECRET = "a secret for tests only";

/** Shared by all tests of a process; it ends itself when nobody needs it, and is not there where no test uploads. */
const testImages = inspectingOnce(openImageProcessor({ processes: 1 }));

/** Most tests upload the same few images, and what an image is like follows from its bytes alone. */
function inspectingOnce(images: ImageProcessor): ImageProcessor {
  const inspected = new Map<string, ReturnType<ImageProcessor["inspect"]>>();
  return {
    ...images,
    inspect(bytes) {
      const hash = createHash("sha256").update(bytes).digest("base64");
      const known = inspected.get(hash) ?? images.inspect(bytes);
      inspected.set(hash, known);
      known.catch(() => inspected.delete(hash));
      return known;
    },
  };
}

/** Any operation as its callers see it. */
// oxlint-disable-next-line no-explicit-any -- an operation's run takes its own scope and input; a caller only passes them on
type AnyOperation = Operation<any, any, any>;

export interface Tenant {
  readonly owner: Account;
  /** The owner, to act as. */
  readonly actor: Actor;
  readonly workspace: Workspace;
  readonly website: Website;
  /** Another member with this role, to act as. */
  addMember(role: Role): Promise<Extract<Actor, { type: "user" }>>;
}

export interface TestServices extends Services {
  readonly database: Database;
  /** What `clock` answers; moves only when a test moves it. */
  now: Date;
  /** Lets time pass, in milliseconds. */
  pass(millis: number): void;
  /** Files that uploads left, by key. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What was reported behind answers that were given all the same. */
  readonly troubles: string[];
  /** What jobs said about how far they are. */
  readonly progress: string[];
  /** The install's own store, in which the content of every website of a test lies that was not moved. */
  contentOf(website: { readonly id: string }): ContentStore;
  makeAccount(name?: string): Promise<Account>;
  /** A workspace with an owner and a website, apart from every other tenant. */
  makeTenant(options?: { plan?: PlanName }): Promise<Tenant>;
  /** Calls an operation as a transport does, with its input checked by the compiler. */
  call<O extends AnyOperation>(operation: O, actor: Actor, input: InputOf<O>): Promise<OutputFor<O>>;
  close(): Promise<void>;
}

/** What a caller may send: ids may be plain text, and what has a default may be left out. */
type InputOf<O> = Partial<InputFor<O>> | Record<string, unknown>;

/** The real services on a database of their own, or on one that is given, with a clock that stands still. */
export async function openTestServices(overrides: Partial<Services> = {}, given?: Database): Promise<TestServices> {
  const database = given ?? (await openTestDatabase());
  const content = openPostgresContent(database);
  const files = new Map<string, Uint8Array>();
  const inMemory = filesIn(files);
  const troubles: string[] = [];
  const variantsFolder = await mkdtemp(path.join(tmpdir(), "stet-variants-"));
  const progress: string[] = [];
  let people = 0;
  const platform = openPostgresPlatform(database);
  const onTrouble = (message: string, error: unknown) => void troubles.push(`${message}: ${String(error)}`);
  const activityLines = createActivityLines(platform.activity, isOutage, onTrouble);
  const variantFiles = openDiskVariants({
    folder: variantsFolder,
    recipe: VARIANT_RECIPE,
    maxBytes: 64 * 1024 * 1024,
    hasRoom: async () => true,
    onTrouble,
  });
  const keyring = createKeyring([TEST_SECRET]);
  // Receivers of tests listen on this machine.
  const sender = createGuardedSender({ privateTargets: true });
  const ownImages = overrides.ownImages ?? openOwnImages({ privateTargets: true, clock: () => new Date() });
  const healthBook = createHealthBook({ records: platform.ownDatabases, clock: () => services.clock(), onTrouble });
  const ownDatabases =
    overrides.ownDatabases ??
    openOwnDatabases({
      privateTargets: true,
      ownDatabasesOpen: 50,
      database,
      clock: () => new Date(),
      onBadDocument: () => {},
      onOutcome: healthBook.note,
    });
  const settings: Services["settings"] = overrides.settings ?? {
    defaultPlan: "free",
    firstPlan: "unlimited",
    planChanges: "owner",
    publicUrl: "https://stet.test",
    outgoingAddresses: [],
  };
  const services: TestServices = {
    database,
    now: new Date("2026-11-15T09:00:00.000Z"),
    pass(millis) {
      services.now = new Date(services.now.getTime() + millis);
    },
    files,
    troubles,
    progress,
    platform,
    activityLines,
    contents: createContentStores(content, ownContent({ platform, seals: keyring, settings, ownDatabases }), (mover) =>
      openPostgresContent(database, { mover }),
    ),
    contentOf: () => services.contents.managed,
    accounts: openAccounts({ pool: database.pool, secret: TEST_SECRET, baseUrl: "https://stet.test", signups: false }),
    images: imageStores(
      inMemory,
      null,
      websiteImages({ records: platform.ownImageStores, seals: keyring, own: ownImages, clock: () => services.clock(), onTrouble }),
    ),
    ownImages,
    ownDatabases,
    imageProcessor: testImages,
    variantFiles,
    disk: testDisk(),
    keyring,
    seals: keyring,
    render: async (markdown) => renderMarkdown(markdown),
    clock: () => services.now,
    plans: plansWith(),
    settings,
    signals: signalsHere(),
    lines: createWriteLines(),
    readers: openPostgresReaders(database),
    webhooks: openPostgresWebhooks(database),
    connections: openPostgresConnections(database),
    oauthRecords: openPostgresOauthRecords(database),
    sender,
    fetcher: createGuardedFetcher({ privateTargets: true }),
    notices: activityNotices(platform.activity),
    mailer: openMailer({ url: null, from: "Stet <no-reply@stet.test>" }),
    onProgress: (message) => void progress.push(message),
    onTrouble,
    ...overrides,

    async makeAccount(name) {
      people += 1;
      // Without a password, as someone who signs in by passkey: hashing one takes a quarter of a second by intention.
      const id = newId("user", services.now.getTime());
      await database.query({
        text: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt") VALUES ($1, $2, $3, true, $4)`,
        values: [id, name ?? `Person ${people}`, `person-${people}@example.com`, timestamp(services.now)],
      });
      const account = await services.accounts.get(id);
      if (!account) throw new Error("A test account was not stored.");
      return account;
    },

    async makeTenant({ plan = "team" } = {}) {
      const owner = await services.makeAccount();
      const actor = userActor(owner.id);
      const workspace = await services.call(createWorkspace, actor, { name: `Workspace of ${owner.name}` });
      await services.platform.workspaces.setPlan(workspace.id, plan);
      const website = await services.call(createWebsite, actor, { workspaceId: workspace.id, name: `Blog of ${owner.name}` });
      return {
        owner,
        actor,
        workspace: { ...workspace, plan },
        website,
        async addMember(role) {
          const { id: userId } = await services.makeAccount();
          await services.platform.members.add({ workspaceId: workspace.id, userId, role, joinedAt: timestamp(services.now) });
          return { type: "user", userId };
        },
      };
    },

    call: (operation, actor, input) => execute(services, operation, actor, input) as Promise<never>,

    async close() {
      await activityLines.close();
      sender.close();
      ownImages.close();
      await ownDatabases.close();
      await healthBook.close();
      await variantFiles.counted;
      await variantFiles.close();
      await rm(variantsFolder, { recursive: true, force: true });
      await content.close();
      await database.close();
    },
  };
  return services;
}

/** Tells this process only, as a single node does. */
function signalsHere(): Signals {
  const listeners = new Set<Parameters<Signals["subscribe"]>[0]>();
  return {
    tellHere: async (signal) => listeners.forEach((listener) => listener(signal)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}

export interface TestDisk extends DiskSpace {
  freeBytes: number;
}

/** A disk of a terabyte that is empty until a test says otherwise, whatever this machine has. */
export function testDisk({ hasDatabase = true } = {}): TestDisk {
  const measure = async () => readingOf(disk.freeBytes, 1e12, {});
  const disk: TestDisk = { freeBytes: 1e12, hasDatabase, read: measure, measure, tend: measure };
  return disk;
}

const filesIn = (files: Map<string, Uint8Array>): ImageStore => ({
  async put(key, bytes) {
    files.set(key, bytes);
  },
  get: async (key) => files.get(key) ?? null,
  size: async (key) => files.get(key)?.byteLength ?? null,
  async *read(key, first, last) {
    yield files.get(key)!.subarray(first, last + 1);
  },
  async delete(key) {
    files.delete(key);
  },
  async *list(prefix) {
    yield* [...files.keys()].filter((key) => key.startsWith(prefix));
  },
});
