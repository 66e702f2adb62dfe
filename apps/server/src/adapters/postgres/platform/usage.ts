import type { Usage } from "#ports/platform";
import { one, type Scope } from "./scope.ts";

export const usage = (scope: Scope): Usage => ({
  async requests(workspaceId, month) {
    const row = await one<{ requests: number }>(scope, "SELECT requests FROM workspace_usage WHERE workspace_id = $1 AND month = $2", [
      workspaceId,
      month,
    ]);
    return row?.requests ?? 0;
  },
});
