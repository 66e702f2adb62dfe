import { z } from "zod";
import type { Connection } from "#domain/connection";
import { CI_MODEL, makeCiToken, MCP_PATH, recordHash, sealContext } from "#domain/oauth-record";
import { invalid } from "#domain/failure";
import { nameOf } from "../kernel/inputs.ts";
import { accountOperation, workspaceId } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { withMark } from "../without-actor/token-marks.ts";
import { beginConnection, type Connected, connectedActivity } from "./helpers/begin-connection.ts";

export interface CiCredential extends Connected {
  readonly connection: Connection;
  /** Shown this once; only its hash is kept. */
  readonly token: string;
}

export const createCiCredential = accountOperation({
  name: "create_ci_credential",
  summary: "Create a token for a script or CI that acts for you until you disconnect it.",
  permission: "account.write",
  input: {
    name: nameOf(),
    workspaces: z.union([z.literal("all"), workspaceId]),
    allowDelete: z.boolean().default(false),
    /** It outlives every session, so a session is not enough to make one. */
    password: z.string().max(500),
  },
  async run(call, { name, workspaces, allowDelete, password }): Promise<CiCredential> {
    const { accounts, seals, oauthRecords, settings } = call.services;
    if (!(await accounts.verifyPassword(userIdOf(call), password))) {
      throw invalid([{ field: "password", message: "is not your password" }]);
    }
    const client = { id: "stet-ci", name, host: null, redirectHost: null };
    const connected = await beginConnection(call, { kind: "ci", client, workspaces, allowDelete });
    const token = withMark(call.services.keyring, makeCiToken());
    const idHash = recordHash(token);
    await oauthRecords.upsert({
      model: CI_MODEL,
      idHash,
      payload: seals.seal("oauth", sealContext(CI_MODEL, idHash), JSON.stringify({ aud: settings.publicUrl + MCP_PATH })),
      grantId: connected.connection.id,
      userCodeHash: null,
      uidHash: null,
      expiresAt: null,
      consumedAt: null,
    });
    return { ...connected, token };
  },
  changes: "nothing",
  activity: (_, __, connected) => connectedActivity(connected),
});
