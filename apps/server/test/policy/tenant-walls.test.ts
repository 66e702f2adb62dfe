import { beforeAll, describe, expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { execute } from "#operations/kernel/execute";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { fillTenant } from "./fill-tenant.ts";
import { INPUTS, type TenantIds, type Things } from "./operation-inputs.ts";

const services = closedAtEnd(await openTestServices());
let victim: Tenant & { ids: TenantIds; things: Things };
let attacker: Tenant & { ids: TenantIds; things: Things };

beforeAll(async () => {
  const one = await services.makeTenant();
  const two = await services.makeTenant();
  victim = { ...one, ...(await fillTenant(services, one)) };
  attacker = { ...two, ...(await fillTenant(services, two)) };
});

async function codeOf(name: OperationName, input: Record<string, unknown>): Promise<string> {
  try {
    await execute(services, registry[name] as unknown as Operation, attacker.actor, input);
    return "done";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** Reads everything stored about a tenant, table by table: $1 is its website, $2 its workspace. */
const EVERYTHING = await everythingStatement();

async function everythingStatement(): Promise<string> {
  const { rows } = await services.database.query<{ table: string; column: string }>({
    text: `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('website_id', 'workspace_id')`,
  });
  expect(rows.length).toBeGreaterThan(10);
  const each = rows.map(
    ({ table, column }) =>
      `SELECT '${table}' AS "table", t::text AS row FROM "${table}" t WHERE ${column} = ${column === "website_id" ? "$1" : "$2"}`,
  );
  return `${each.join(" UNION ALL ")} ORDER BY 1, 2`;
}

async function everythingOf({ ids }: { ids: TenantIds }): Promise<string> {
  const { rows } = await services.database.query({ text: EVERYTHING, values: [ids.websiteId, ids.workspaceId] });
  expect(rows.length).toBeGreaterThan(10);
  return JSON.stringify(rows);
}

const names = (Object.keys(registry) as OperationName[]).filter((name) => registry[name].scope !== "account");
/** Operations that name nothing beyond the place itself: in the attacker's own place they are the attacker's right. */
const NAMES_NOTHING = new Set(
  names.filter((name) => {
    const blank = Object.fromEntries(
      [
        "postId",
        "revisionId",
        "categoryId",
        "otherCategoryId",
        "mediaId",
        "keyId",
        "webhookId",
        "deliveryId",
        "userId",
        "connectionId",
        "invitationId",
      ].map((key) => [key, "(named)"]),
    );
    return !JSON.stringify(INPUTS[name]({ workspaceId: "", websiteId: "" }, blank as unknown as Things)).includes("(named)");
  }),
);

const ANSWERS: Partial<Record<OperationName, string>> = {
  // A reference inside a text that is being written is refused by the field's name instead.
  create_post: "VALIDATION_FAILED",
  // Many ids at once: what is not there is left out, or zero. Their own tests look at the answers.
  list_people: "done",
  get_views_of_posts: "done",
};

describe("another tenant's place", () => {
  test.each(names)("%s says that nothing is there, and touches nothing", async (name) => {
    const before = await everythingOf(victim);
    expect(await codeOf(name, INPUTS[name](victim.ids, victim.things))).toBe("NOT_FOUND");
    expect(await everythingOf(victim)).toBe(before);
  });
});

describe("another tenant's things, named in one's own place", () => {
  test.each(names.filter((name) => !NAMES_NOTHING.has(name)))("%s does not find them, and touches nothing", async (name) => {
    const before = await everythingOf(victim);
    const code = await codeOf(name, INPUTS[name](attacker.ids, victim.things));
    expect(code).toBe(ANSWERS[name] ?? "NOT_FOUND");
    expect(await everythingOf(victim)).toBe(before);
  });
});

test("an invitation for somebody else cannot be accepted", async () => {
  expect(await codeOf("accept_invitation", INPUTS.accept_invitation(attacker.ids, victim.things))).toBe("NOT_FOUND");
  expect(await services.platform.members.role(victim.workspace.id, attacker.owner.id)).toBeNull();
});

test("lists of workspaces and the account show one's own only", async () => {
  const seen = JSON.stringify([
    await services.call(registry.list_workspaces, attacker.actor, {}),
    await services.call(registry.get_account, attacker.actor, {}),
  ]);
  expect(seen).toContain(attacker.workspace.id);
  expect(seen).not.toContain(victim.workspace.id);
});
