import { z } from "zod";
import { systemActor, userActor } from "#domain/actor";
import { fail, invalid } from "#domain/failure";
import type { UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import { isSameSecret } from "#domain/same-secret";
import { createAccount } from "../accounts/create-account.ts";
import { execute } from "../kernel/execute.ts";
import { emailAddress, nameOf, newPassword } from "../kernel/inputs.ts";
import type { Services } from "../kernel/services.ts";
import { createKey } from "../keys/create-key.ts";
import { seedWebsite } from "../sample/seed-website.ts";
import { createWebsite } from "../websites/create-website.ts";
import { settingsInput } from "../websites/helpers/settings-input.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";

const SAMPLE_POSTS = 12;

export const setupInput = z.strictObject({
  token: z.string(),
  name: nameOf(),
  email: emailAddress,
  password: newPassword,
  workspaceName: nameOf(),
  websiteName: nameOf(),
  samplePosts: z.boolean(),
  /** Where the owner sits: posts are scheduled and dated there until the settings say otherwise. One that is unknown here is no reason to stop. */
  timeZone: settingsInput.shape.timeZone.catch(undefined),
});
type SetupInput = z.infer<typeof setupInput>;

interface SetUp {
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId;
  /** Shown this once. */
  readonly key: string;
}

/** How an empty install gets its first owner. There is nobody yet who could run an operation. */
export interface Setup {
  isNeeded(): Promise<boolean>;
  /** Throws unless the token is the one of the setup link. */
  requireToken(token: unknown): void;
  run(input: SetupInput): Promise<SetUp>;
}

/**
 * The secret of the setup link: derived from the server secret, so that every node and every start prints the same one and
 * nothing is stored. It opens nothing once there is a workspace.
 */
export const setupToken = ({ keyring }: Pick<Services, "keyring">): string => keyring.mac("setup", SETUP).hash;
const SETUP = "first owner";

export function createSetup(services: Services): Setup {
  const { keyring, platform } = services;
  // One after the other: a request that waits in the database holds a connection, which the working one may need.
  let last: Promise<unknown> = Promise.resolve();
  return {
    isNeeded: () => platform.workspaces.isEmptyInstall(),
    requireToken(token) {
      const isToken = typeof token === "string" && keyring.macs("setup", SETUP).some(({ hash }) => isSameSecret(token, hash));
      if (!isToken) throw ended();
    },
    async run(input) {
      const turn = last.then(() => platform.workspaces.whileEmpty(() => setUp(services, input)));
      last = turn.catch(() => {});
      const done = await turn;
      if (!done) throw ended();
      return done;
    },
  };
}

/** A person who came half way and tries again goes on with the account made then; once the workspace exists, they can sign in. */
async function setUp(services: Services, input: SetupInput): Promise<SetUp> {
  const userId = await findOrCreateAccount(services, input);
  const actor = userActor(userId);
  // As the operator: the person who opened the setup link runs this server, and an owner cannot choose the plan.
  const { id: workspaceId } = await execute(services, createWorkspace, systemActor("setup"), {
    name: input.workspaceName,
    ownerId: userId,
    plan: services.settings.firstPlan,
  });
  const { id: websiteId } = await execute(services, createWebsite, actor, {
    workspaceId,
    name: input.websiteName,
    ...(input.timeZone && { settings: { timeZone: input.timeZone } }),
  });
  const { key } = await execute(services, createKey, actor, { websiteId, name: "First key" });
  if (input.samplePosts) {
    // An owner without samples is better than no owner.
    await execute(services, seedWebsite, actor, { websiteId, posts: SAMPLE_POSTS }).catch((error: unknown) =>
      services.onTrouble("The sample posts could not be written", error),
    );
  }
  return { userId, workspaceId, websiteId, key };
}

async function findOrCreateAccount(services: Services, { email, name, password }: SetupInput): Promise<UserId> {
  const existing = await services.accounts.findByEmail(email);
  if (!existing) return (await execute(services, createAccount, systemActor("setup"), { email, name, password })).id;
  if (await services.accounts.verifyPassword(existing.id, password)) return existing.id;
  throw invalid([{ field: "password", message: "is wrong. This email address already has an account: enter its password" }]);
}

const ended = () =>
  fail("NOT_FOUND", "This setup link was used already or is incomplete. Sign in, or copy the link again from the service's log.");
