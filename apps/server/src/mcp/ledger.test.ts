import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool } from "#test/connected-tool";
import { openTestServices } from "#test/services";
import { createLedger } from "./ledger.ts";

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
  const ledger = createLedger({ ...services, connections }, []);
  const place = { workspaceId: tenant.workspace.id, websiteId: tenant.website.id };
  const read = { ...place, tool: "list_posts", target: null, refusal: null, before: null, after: null };
  await Promise.all(Array.from({ length: 2_500 }, () => ledger.log(connection, read)));
  await ledger.close();
  expect(writes).toBeLessThan(10);
  const { rowCount } = await services.database.query({
    text: "SELECT FROM tool_calls WHERE connection_id = $1",
    values: [connection.id],
  });
  expect(rowCount).toBe(2_500);
});
