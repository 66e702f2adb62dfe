import { AsyncLocalStorage } from "node:async_hooks";
import { notFound } from "#domain/failure";
import type { WorkspaceId } from "#domain/ids";
import type { Platform } from "#ports/platform";
import type { Database } from "../database.ts";
import { activityLog } from "./activity-log.ts";
import { apiKeys } from "./api-keys.ts";
import { contentHomes } from "./content-homes.ts";
import { eventLog } from "./event-log.ts";
import { imports } from "./imports.ts";
import { invitations } from "./invitations.ts";
import { leases } from "./leases.ts";
import { mails } from "./mails.ts";
import { mediaLedger } from "./media-ledger.ts";
import { members } from "./members.ts";
import { moves } from "./moves.ts";
import { schedules } from "./schedules.ts";
import { one, run, type Scope, scopeOf } from "./scope.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { ownDatabases } from "./own-databases.ts";
import { ownImageStores } from "./own-image-stores.ts";
import { usage } from "./usage.ts";
import { websites } from "./websites.ts";
import { workspaces } from "./workspaces.ts";

/** The platform store. Statements go to the pool; inside `locked` they go to the connection that holds the workspace. */
export function openPostgresPlatform(database: Database): Platform {
  // Work inside a lock may need a second connection (the content store does): half of the pool stays free for that.
  const half = (connections: number) => Math.max(1, Math.floor(connections / 2));
  const turns = oneAtATime(half(Math.min(...Object.values(database.sizes))));
  // A job that runs on one node holds a connection all the while, and works with others.
  const jobs = oneAtATime(half(database.sizes.jobs));
  let lastJob = 0;
  const pool: Scope = { query: (statement) => database.query(statement), atomically: (work) => database.transaction(work) };
  const holding = new AsyncLocalStorage<{ held: boolean }>();
  return {
    ...parts(pool),
    // Each by a name of its own: a job that somebody is at, here or elsewhere, is not waited for.
    onOneNode: (job, work) => jobs(`${job} ${++lastJob}`, () => parts(pool).onOneNode(job, work)),
    async locked(workspaceId, work) {
      // It would wait for itself for ever, without a word.
      if (holding.getStore()?.held) throw new Error("A workspace is locked here already. Use the platform that was handed to the work.");
      return turns(workspaceId, () => {
        const lock = { held: true };
        const locked = database.transaction(async (connection) => {
          await hold(scopeOf(connection), workspaceId);
          return holding.run(lock, () => work(bound(scopeOf(connection), new Set([workspaceId]))));
        });
        return locked.finally(() => {
          lock.held = false;
        });
      });
    },
  };
}

/** The platform inside a transaction that holds these workspaces. */
function bound(scope: Scope, held: Set<WorkspaceId>): Platform {
  const platform: Platform = {
    ...parts(scope),
    async locked(workspaceId, work) {
      if (!held.has(workspaceId)) {
        await hold(scope, workspaceId);
        held.add(workspaceId);
      }
      return work(platform);
    },
  };
  return platform;
}

async function hold(scope: Scope, workspaceId: WorkspaceId): Promise<void> {
  // NO KEY: holders exclude each other, while rows that merely refer to the workspace can still be written.
  const found = await one(scope, "SELECT id FROM workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE", [workspaceId]);
  if (!found) throw notFound("workspace");
}

/** Any number, the same in every version: the first half of the locks that jobs take. */
const JOB_LOCKS = 7_383_520;

const parts = (scope: Scope): Omit<Platform, "locked"> => ({
  workspaces: workspaces(scope),
  websites: websites(scope),
  homes: contentHomes(scope),
  members: members(scope),
  invitations: invitations(scope),
  keys: apiKeys(scope),
  activity: activityLog(scope),
  schedules: schedules(scope),
  events: eventLog(scope),
  usage: usage(scope),
  mails: mails(scope),
  imports: imports(scope),
  mediaFiles: mediaLedger(scope),
  withLease: leases(scope),
  ownImageStores: ownImageStores(scope),
  ownDatabases: ownDatabases(scope),
  moves: moves(scope),
  onOneNode: (job, work) =>
    scope.atomically(async (connection) => {
      const turn = await one<{ mine: boolean }>(connection, "SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine", [JOB_LOCKS, job]);
      return turn?.mine ? work() : null;
    }),
  async ping() {
    await run(scope, "SELECT 1", []);
  },
});
