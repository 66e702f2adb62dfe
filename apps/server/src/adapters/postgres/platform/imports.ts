import type { ImportLine, Imports } from "#ports/platform";
import { one, run, type Scope } from "./scope.ts";

export const imports = (scope: Scope): Imports => ({
  async keep(line, until) {
    await run(
      scope,
      `INSERT INTO imports (website_id, id, line, look_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (website_id, id) DO UPDATE SET line = excluded.line, look_at = excluded.look_at`,
      [line.websiteId, line.id, JSON.stringify(line), until],
    );
  },

  async end({ websiteId, id }) {
    await run(scope, "DELETE FROM imports WHERE website_id = $1 AND id = $2", [websiteId, id]);
  },

  async claimSilent(now, leaseSeconds) {
    // SKIP LOCKED: what another node is claiming this instant is not waited for.
    const row = await one<{ line: ImportLine }>(
      scope,
      `UPDATE imports SET look_at = $1::timestamptz + make_interval(secs => $2)
       FROM (SELECT website_id, id FROM imports WHERE look_at <= $1 ORDER BY look_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS silent
       WHERE imports.website_id = silent.website_id AND imports.id = silent.id
       RETURNING line`,
      [now, leaseSeconds],
    );
    return row?.line ?? null;
  },
});
