import type { PlanName } from "@stet/contract";
import { systemActor, userActor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import type { Website, Workspace } from "#domain/website";
import { createAccount } from "#operations/accounts/create-account";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { createKey } from "#operations/keys/create-key";
import { changePlan } from "#operations/plan/change-plan";
import { seedWebsite } from "#operations/sample/seed-website";
import { createWebsite } from "#operations/websites/create-website";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import type { Command } from "../command.ts";
import { type BootstrapOptions, readBootstrapOptions } from "./bootstrap-options.ts";
import { progress } from "./progress.ts";
import { say, withInstallation } from "./with-installation.ts";

export interface Bootstrapped {
  readonly userId: string;
  readonly workspaceId: string;
  readonly websiteId: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly mcpUrl: string;
  readonly openapiUrl: string;
  readonly dashboardUrl: string;
}

/** `stet bootstrap`: an account, a workspace, a website with sample posts and a key, without a browser. */
export const bootstrap: Command = async (args) => {
  const options = readBootstrapOptions(args);
  const result = await withInstallation(({ services }) => runBootstrap(services, options, say));
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : summary(result, options));
  return 0;
};

const operator = systemActor("bootstrap");

/** Existing things with these names are used; only the key is always a new one, as an old one cannot be shown again. */
export async function runBootstrap(
  services: Services,
  options: BootstrapOptions,
  report: (message: string) => void,
): Promise<Bootstrapped> {
  const userId = await findOrCreateAccount(services, options);
  const workspace = await findOrCreateWorkspace(services, userId, options);
  const website = await findOrCreateWebsite(services, userId, workspace, options);
  await requireFreeKey(services, workspace, website);
  if (options.posts > 0) {
    const onProgress = progress("Sample posts", report);
    const { added } = await execute(services, seedWebsite, userActor(userId), { websiteId: website.id, posts: options.posts, onProgress });
    report(`Sample posts: ${added} written, ${options.posts - added} were there.`);
  }
  const { key } = await execute(services, createKey, userActor(userId), { websiteId: website.id, name: "Bootstrap" });
  const { publicUrl } = services.settings;
  return {
    userId,
    workspaceId: workspace.id,
    websiteId: website.id,
    apiKey: key,
    baseUrl: `${publicUrl}/v1`,
    mcpUrl: `${publicUrl}/mcp`,
    openapiUrl: `${publicUrl}/v1/openapi.json`,
    dashboardUrl: `${publicUrl}/`,
  };
}

async function findOrCreateAccount(services: Services, { email, password }: BootstrapOptions): Promise<UserId> {
  const existing = await services.accounts.findByEmail(email);
  if (!existing)
    return (await execute(services, createAccount, operator, { email, password, name: email.slice(0, email.indexOf("@")) })).id;
  if (await services.accounts.verifyPassword(existing.id, password)) return existing.id;
  throw fail(
    "INSUFFICIENT_ROLE",
    `${email} already has an account, and this is not its password. Use the account's password, or another address.`,
  );
}

async function findOrCreateWorkspace(services: Services, userId: UserId, { workspace: name, plan }: BootstrapOptions): Promise<Workspace> {
  const own = (await services.platform.workspaces.listFor(userId)).find(
    (workspace) => workspace.role === "owner" && workspace.name === name,
  );
  // With the operator's right: `unlimited` is only theirs to give, and owners may not be allowed to change their plan.
  if (!own) return execute(services, createWorkspace, operator, { name, ownerId: userId, plan: plan ?? (await planOfNext(services)) });
  if (plan === null || plan === own.plan) return own;
  await execute(services, changePlan, operator, { workspaceId: own.id, plan });
  return { ...own, plan };
}

/** On an empty install the first workspace gets what the setup link would give it. */
async function planOfNext({ platform, settings }: Services): Promise<PlanName> {
  return (await platform.workspaces.isEmptyInstall()) ? settings.firstPlan : settings.defaultPlan;
}

async function findOrCreateWebsite(
  services: Services,
  userId: UserId,
  workspace: Workspace,
  { website: name }: BootstrapOptions,
): Promise<Website> {
  const existing = (await services.platform.websites.list(workspace.id)).find((website) => website.name === name);
  return existing ?? execute(services, createWebsite, userActor(userId), { workspaceId: workspace.id, name });
}

/** Asked before thousands of posts are written, and in words that help on a command line. */
async function requireFreeKey(services: Services, workspace: Workspace, website: Website): Promise<void> {
  const allowed = services.plans[workspace.plan].liveKeys;
  if (fits((await services.platform.keys.countLive(website.id)) + 1, allowed)) return;
  throw fail(
    "PLAN_LIMIT",
    `${planWords(workspace.plan).subject} allows ${allowed} live keys a website, and "${website.name}" has them all. Revoke one in the dashboard, or lift the limit: add --plan starter, or run "stet plan set ${workspace.id} starter".`,
  );
}

const summary = (result: Bootstrapped, { email, workspace, website }: BootstrapOptions): string => `
  Account    ${email}  (${result.userId})
  Workspace  ${workspace}  (${result.workspaceId})
  Website    ${website}  (${result.websiteId})
  API key    ${result.apiKey}
             shown only once

  Dashboard  ${result.dashboardUrl}
  API        ${result.baseUrl}
  OpenAPI    ${result.openapiUrl}
  MCP        ${result.mcpUrl}

  Try it     curl -H "Authorization: Bearer ${result.apiKey}" "${result.baseUrl}/blog/posts?limit=3"

`;
