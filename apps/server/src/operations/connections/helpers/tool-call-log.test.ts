import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool } from "#test/connected-tool";
import { openTestServices } from "#test/services";
import { createToolCallLog } from "./tool-call-log.ts";

const services = closedAtEnd(await openTestServices());

test("however fast a tool calls, its lines are written many at a time, and all of them", async () => {
  const tenant = await services.makeTenant();
  const { connection } = await connectTestTool(services, tenant);
  let writes = 0;
  const connections: typeof services.connections = {
    ...services.connections,
    log(...lines) {
      if (lines.length > 0) writes += 1;
      return services.connections.log(...lines);
    },
  };
  const toolCallLog = createToolCallLog({ ...services, connections }, () => false);
  const ids = { workspaceId: tenant.workspace.id, websiteId: tenant.website.id };
  const read = { ...ids, tool: "list_posts", target: null, refusal: null, before: null, after: null };
  await Promise.all(Array.from({ length: 2_500 }, () => toolCallLog.log(connection, read)));
  await toolCallLog.close();
  expect(writes).toBeLessThan(10);
  const { rowCount } = await services.database.query({
    text: "SELECT FROM tool_calls WHERE connection_id = $1",
    values: [connection.id],
  });
  expect(rowCount).toBe(2_500);
});

test("what tools did while the database was gone is written down when it is back, each call once", async () => {
  const tenant = await services.makeTenant();
  const { connection } = await connectTestTool(services, tenant);
  const gone = new Error("gone");
  let isGone = true;
  const connections: typeof services.connections = {
    ...services.connections,
    async log(...lines) {
      // The second half of an outage: it was written, and only the answer was lost.
      if (lines.some(({ after }) => after === 2)) await services.connections.log(...lines);
      if (isGone) throw gone;
      return services.connections.log(...lines);
    },
    touch: (used) => (isGone ? Promise.reject(gone) : services.connections.touch(used)),
  };
  const troubles: unknown[] = [];
  const onTrouble = (_message: string, error: unknown) => troubles.push(error);
  const toolCallLog = createToolCallLog({ ...services, connections, onTrouble }, (error) => error === gone);
  const ids = { workspaceId: tenant.workspace.id, websiteId: tenant.website.id };
  toolCallLog.used(connection);
  await toolCallLog.log(connection, { ...ids, tool: "list_posts", target: null, refusal: null, before: null, after: null });
  await toolCallLog.log(connection, { ...ids, tool: "edit_post", target: null, refusal: null, before: 1, after: 2 });
  isGone = false;
  await toolCallLog.close();
  const { rows } = await services.connections.listCalls(tenant.workspace.id, { connectionId: connection.id, after: null, limit: 10 });
  expect(rows.map(({ tool }) => tool).toSorted()).toEqual(["edit_post", "list_posts"]);
  expect((await services.connections.get(connection.id))?.calls).toBe(1);
  expect(troubles).toEqual([]);
});
