import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServices, type TestServices } from "#test/services";
import { runBootstrap } from "./bootstrap.ts";
import type { BootstrapOptions } from "./bootstrap-options.ts";

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const options = (change: Partial<BootstrapOptions>): BootstrapOptions => ({
  email: "eve@example.com",
  password: "correct horse battery",
  workspace: "Eve",
  website: "Eve",
  plan: null,
  posts: 0,
  json: true,
  ...change,
});
const run = (change: Partial<BootstrapOptions> = {}) => runBootstrap(services, options(change), () => {});

describe("bootstrap", () => {
  test("the first workspace of an install is unlimited, the next starts as every other; --plan decides for both", async () => {
    const empty = await openTestServices();
    const planOf = async (change: Partial<BootstrapOptions>) => {
      const { workspaceId } = await runBootstrap(empty, options(change), () => {});
      return (await empty.platform.workspaces.get(workspaceId as never))?.plan;
    };
    expect(await planOf({})).toBe("unlimited");
    expect(await planOf({ workspace: "Second" })).toBe("free");
    expect(await planOf({ workspace: "Third", plan: "unlimited" })).toBe("unlimited");
    expect(await planOf({ plan: null }), "run again it changes no plan").toBe("unlimited");
    expect(await planOf({ plan: "team" })).toBe("team");
    await empty.close();
  });

  test("where the operator named a default plan, the first workspace starts on it too", async () => {
    const hosted = await openTestServices({ settings: { ...services.settings, defaultPlan: "starter", firstPlan: "starter" } });
    const { workspaceId } = await runBootstrap(hosted, options({}), () => {});
    expect((await hosted.platform.workspaces.get(workspaceId as never))?.plan).toBe("starter");
    await hosted.close();
  });

  test("when no key is free it says what to do before writing any post, and a larger plan mends it", async () => {
    const made = await run({ plan: "free" });
    await run();
    await expect(run({ posts: 50 })).rejects.toMatchObject({
      code: "PLAN_LIMIT",
      message: expect.stringContaining(`stet plan set ${made.workspaceId} starter`),
    });
    const count = await services.database.query<{ count: number }>({ text: "SELECT count(*) FROM posts" });
    expect(count.rows[0]!.count).toBe(0);
    expect(await run({ plan: "starter" })).toMatchObject({ workspaceId: made.workspaceId, websiteId: made.websiteId });
  });

  test("a website beyond the plan is refused in words", async () => {
    await expect(run({ email: "small@example.com", website: "One" })).resolves.toBeDefined();
    await expect(run({ email: "small@example.com", website: "Two" })).rejects.toMatchObject({ code: "PLAN_LIMIT" });
  });

  test("a workspace of the same name that belongs to someone else is not used", async () => {
    const [mine, theirs] = [
      await run({ email: "a@example.com", workspace: "Same" }),
      await run({ email: "b@example.com", workspace: "Same" }),
    ];
    expect(mine.workspaceId).not.toBe(theirs.workspaceId);
  });

  test("another password is refused, and so is one that is too short", async () => {
    await run({ email: "c@example.com" });
    await expect(run({ email: "c@example.com", password: "something else" })).rejects.toMatchObject({
      message: expect.stringContaining("not its password"),
    });
    await expect(run({ email: "d@example.com", password: "short" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("the operator's plan change works where owners may not change plans", async () => {
    const strict = await openTestServices({ settings: { ...services.settings, planChanges: "operator" } });
    const made = await runBootstrap(strict, options({ plan: "team" }), () => {});
    expect((await strict.platform.workspaces.get(made.workspaceId as never))?.plan).toBe("team");
    await strict.close();
  });
});
