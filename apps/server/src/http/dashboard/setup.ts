import { z } from "zod";
import { systemActor, userActor } from "#domain/actor";
import { fail, invalid } from "#domain/failure";
import type { UserId } from "#domain/ids";
import { isSameSecret } from "#domain/same-secret";
import { createAccount } from "#operations/accounts/create-account";
import { execute } from "#operations/kernel/execute";
import { emailAddress, nameOf, newPassword } from "#operations/kernel/inputs";
import type { Services } from "#operations/kernel/services";
import { createKey } from "#operations/keys/create-key";
import { seedWebsite } from "#operations/sample/seed-website";
import { createWebsite } from "#operations/websites/create-website";
import { settingsInput } from "#operations/websites/settings-input";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import type { ClientAddress } from "../client-address.ts";
import type { ApiRoute } from "./api.ts";
import type { Attempts } from "./attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "./sessions.ts";

const SAMPLE_POSTS = 12;

const input = z.strictObject({
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
type Setup = z.infer<typeof input>;

/**
 * The secret of the setup link: derived from the server secret, so that every node and every start prints the same one and
 * nothing is stored. It opens nothing once there is a workspace.
 */
export const setupToken = ({ keyring }: Pick<Services, "keyring">): string => keyring.mac("setup", SETUP).hash;
const SETUP = "first owner";

/** `POST /api/setup`: the first owner, with a workspace, a website and a key that is shown this once. */
export function setupRoute(options: {
  services: Services;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
}): ApiRoute {
  const { services, sessions, attempts, clientAddress } = options;
  // One after the other: whoever waits in the database holds a connection, which the one who works may need.
  let last: Promise<unknown> = Promise.resolve();
  return {
    method: "POST",
    path: "/setup",
    async handle(call) {
      attempts.begin(clientAddress(call.request), null);
      const raw = await readJson(call, 64 * 1024);
      if (!isToken(services, raw["token"])) throw ended();
      const setup = parseInput(input, raw);
      const turn = last.then(() => services.platform.workspaces.whileEmpty(() => setUp(services, setup)));
      last = turn.catch(() => {});
      const done = await turn;
      if (!done) throw ended();
      const { userId, ...made } = done;
      call.response.setHeader("Set-Cookie", await sessions.start(userId, deviceOf(call.request, clientAddress)));
      sendData(call.response, made);
    },
  };
}

/** Whoever came half way and tries again goes on with the account made then; from the workspace on, they can sign in. */
async function setUp(services: Services, setup: Setup) {
  const userId = await findOrCreateAccount(services, setup);
  const actor = userActor(userId);
  // As the operator: whoever opened the setup link runs this server, and an owner cannot choose the plan.
  const { id: workspaceId } = await execute(services, createWorkspace, systemActor("setup"), {
    name: setup.workspaceName,
    ownerId: userId,
    plan: services.settings.firstPlan,
  });
  const { id: websiteId } = await execute(services, createWebsite, actor, {
    workspaceId,
    name: setup.websiteName,
    ...(setup.timeZone && { settings: { timeZone: setup.timeZone } }),
  });
  const { key } = await execute(services, createKey, actor, { websiteId, name: "First key" });
  if (setup.samplePosts) {
    // An owner without samples is better than no owner.
    await execute(services, seedWebsite, actor, { websiteId, posts: SAMPLE_POSTS }).catch((error: unknown) =>
      services.onTrouble("The sample posts could not be written", error),
    );
  }
  return { userId, workspaceId, websiteId, key };
}

async function findOrCreateAccount(services: Services, { email, name, password }: Setup): Promise<UserId> {
  const existing = await services.accounts.findByEmail(email);
  if (!existing) return (await execute(services, createAccount, systemActor("setup"), { email, name, password })).id;
  if (await services.accounts.verifyPassword(existing.id, password)) return existing.id;
  throw invalid([{ field: "password", message: "is not the password of the account that this address has already" }]);
}

const isToken = ({ keyring }: Services, given: unknown): boolean =>
  typeof given === "string" && keyring.macs("setup", SETUP).some(({ hash }) => isSameSecret(given, hash));

const ended = () =>
  fail("NOT_FOUND", "This setup link has been used, or is not whole. Sign in, or copy the link again from the service's log.");
