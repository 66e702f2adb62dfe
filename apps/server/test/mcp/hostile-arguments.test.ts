import { expect, test } from "vitest";
import { z } from "zod";
import { newId } from "#domain/ids";
import { callTool } from "#mcp/call-tool";
import { createCallers } from "#mcp/caller";
import { TOOLS } from "#mcp/tools";
import { createToolCallLog } from "#operations/connections/helpers/tool-call-log";
import { transportServices } from "#operations/kernel/transport-services";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool } from "#test/connected-tool";
import { fillTenant } from "#test/policy/fill-tenant";
import { openTestServices } from "#test/services";
import { CALLS } from "./tool-inputs.ts";

const services = closedAtEnd(await openTestServices({ fetcher: { get: async () => ({ error: "not in this test" }) } }));
const toolCallLog = closedAtEnd(createToolCallLog(services, () => false));
const callers = createCallers(transportServices(services), toolCallLog);

/** Versions as they are now: a stale one would be refused before anything else is looked at. */
const OF_POST = new Set(["update_post", "edit_post_body", "publish_post", "schedule_post", "unpublish_post", "restore_revision"]);

type Schema = {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
};

/** What a model can put in the place of the schema, with a NUL in one text of it. */
function* withNul(schema: Schema): Generator<unknown> {
  for (const one of schema.anyOf ?? []) yield* withNul(one);
  if (schema.type === "string") yield* ["a\u0000b", "https://blog.example/\u0000", "\ud800"];
  if (schema.type === "array" && schema.items) for (const one of withNul(schema.items)) yield [one];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) for (const bad of withNul(inner)) yield { [name]: bad };
  if (schema.type === "object" && !schema.properties) yield { note: "a\u0000b" };
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s never breaks on a NUL in any of its arguments", async (name, tool) => {
  const tenant = await services.makeTenant();
  const { ids, things } = await fillTenant(services, tenant);
  const { connection } = await connectTestTool(services, tenant);
  const named = {
    website: ids.websiteId,
    post: things.postId,
    revision: things.revisionId,
    category: things.categoryId,
    image: things.mediaId,
  };
  const { properties = {} } = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }) as Schema;
  const broken: string[] = [];
  for (const [field, schema] of Object.entries(properties)) {
    for (const bad of withNul(schema)) {
      const { version } = await services.call(registry.get_post, tenant.actor, { websiteId: ids.websiteId, postId: things.postId });
      const given: Record<string, unknown> = {
        ...CALLS[name]!(named),
        ...(OF_POST.has(name) && { expectedVersion: version }),
        [field]: bad,
      };
      if (field === "edits") given.edits = [{ find: "a", replace: "b", ...(bad as object[])[0] }];
      await callTool(tool, given, callers({ extra: { connection, requestId: newId("request") } } as never), {
        toolCallLog,
        isOutage: () => false,
        onFault: (error) => broken.push(`${field} = ${JSON.stringify(bad)}: ${String(error).slice(0, 200)}`),
      });
    }
  }
  expect(broken).toEqual([]);
});
