import { expect, test } from "vitest";
import { userActor } from "#domain/actor";
import type { GrantId } from "#domain/ids";
import { DAY, HOUR, timestamp } from "#domain/time";
import { connectTool } from "#operations/connections/connect-tool";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { forgetSignIns } from "./forget-sign-ins.ts";

const services = closedAtEnd(await openTestServices());

const hold = (model: string, idHash: string, grantId: GrantId, millis: number) =>
  services.oauthRecords.upsert({
    model,
    idHash,
    payload: "sealed",
    grantId,
    userCodeHash: null,
    uidHash: null,
    expiresAt: Math.floor((services.now.getTime() + millis) / 1_000),
    consumedAt: null,
  });

test("what expired is forgotten a day later, and what nothing can use any more is ended", async () => {
  const { owner, workspace } = await services.makeTenant();
  const connect = async () => {
    const client = { id: "client", name: "Claude", host: null, redirectHost: null };
    const input = { kind: "ai", client, workspaces: workspace.id };
    return (await services.call(connectTool, userActor(owner.id), input)).connection.id;
  };
  const [used, lapsed] = [await connect(), await connect()];
  for (const id of [used, lapsed]) await hold("Grant", `grant of ${id}`, id, 365 * DAY);
  await hold("RefreshToken", "lasting", used, 90 * DAY);
  await hold("AccessToken", "short", lapsed, HOUR);
  services.pass(HOUR + 1_000);
  expect(await forgetSignIns(services)).toBe(0);
  services.pass(DAY);
  expect(await forgetSignIns(services)).toBe(2);
  expect(await forgetSignIns(services)).toBe(0);
  expect(await services.oauthRecords.find("AccessToken", "short")).toBeNull();
  expect(await services.oauthRecords.find("RefreshToken", "lasting")).not.toBeNull();
  expect((await services.connections.listOf(owner.id)).map(({ id }) => id)).toEqual([used]);
});

test("a session is forgotten a day after it ended, with the address it came from; others stay", async () => {
  const { id } = await services.makeAccount();
  const begin = (token: string, millis: number) =>
    services.database.query({
      text: `INSERT INTO "session" (id, token, "userId", "expiresAt", "updatedAt", "ipAddress") VALUES ($1, $1, $2, $3, $3, '192.0.2.1')`,
      values: [token, id, timestamp(services.now.getTime() + millis)],
    });
  await begin("ended", HOUR);
  await begin("lasting", 30 * DAY);
  services.pass(DAY);
  expect(await forgetSignIns(services)).toBe(0);
  services.pass(2 * HOUR);
  expect(await forgetSignIns(services)).toBe(1);
  const { rows } = await services.database.query<{ token: string }>({
    text: `SELECT token FROM "session" WHERE "userId" = $1`,
    values: [id],
  });
  expect(rows).toEqual([{ token: "lasting" }]);
});
