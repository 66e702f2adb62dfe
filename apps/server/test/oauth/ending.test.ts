import { expect, test } from "vitest";
import { recordHash } from "#domain/oauth-record";
import { timestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { sendMails } from "#worker/mails/send-mails";
import { type ConnectedTool, connect, token } from "./sign-in.ts";

let tool: ConnectedTool;
const node = closedAtEnd(await openDashboardNode({ pages: false, mail: true }));

const connectOne = async () => {
  const { owner } = await node.makeTenant();
  tool = await connect(node, owner);
  return owner;
};
const refresh = (value = tool.refreshToken) => token(node, { grant_type: "refresh_token", client_id: tool.clientId, refresh_token: value });
const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];
const revoke = (value: string, hint?: string) =>
  fetch(`${node.url}/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({ client_id: tool.clientId, token: value, ...(hint && { token_type_hint: hint }) }),
  });
const isEnded = async () => (await node.services.connections.get(tool.connection.id))?.revokedAt !== null;
/** Lets the time of a record pass: it was used, or expires, so many seconds earlier. */
const age = (model: string, id: string, seconds: number) =>
  node.services.database.query({
    text: "UPDATE oauth_records SET consumed_at = consumed_at - $3::bigint, expires_at = expires_at - $3::bigint WHERE model = $1 AND id_hash = $2",
    values: [model, recordHash(id), seconds],
  });

test("disconnecting ends every token at once", async () => {
  await connectOne();
  await node.services.connections.revoke(tool.connection.id, timestamp(new Date()));
  expect(await node.accessTokens.find(tool.accessToken)).toBeNull();
  expect(await errorOf(await refresh())).toEqual([400, "invalid_grant"]);
});

test("narrowing a connection acts on the token it has", async () => {
  await connectOne();
  await node.services.connections.change(tool.connection.id, { ...tool.connection, allowDelete: true, publishPerHour: 1 });
  expect((await node.accessTokens.find(tool.accessToken))?.connection).toMatchObject({ allowDelete: true, publishPerHour: 1 });
});

test("an access token is good for an hour", async () => {
  await connectOne();
  await age("AccessToken", tool.accessToken, 3_590);
  expect(await node.accessTokens.find(tool.accessToken)).not.toBeNull();
  await age("AccessToken", tool.accessToken, 11);
  expect(await node.accessTokens.find(tool.accessToken)).toBeNull();
});

test("whose account is gone has no connection either", async () => {
  const owner = await connectOne();
  await node.services.database.query({ text: `DELETE FROM members WHERE user_id = $1`, values: [owner.id] });
  await node.services.database.query({ text: `DELETE FROM "user" WHERE id = $1`, values: [owner.id] });
  expect(await node.accessTokens.find(tool.accessToken)).toBeNull();
  expect(await errorOf(await refresh())).toEqual([400, "invalid_grant"]);
});

test("a refresh token slides: unused for 90 days it has ended, used it lives on", async () => {
  await connectOne();
  await age("RefreshToken", tool.refreshToken, 89 * 86_400);
  const { refresh_token: next } = (await (await refresh()).json()) as Record<string, string>;
  await age("RefreshToken", next!, 89 * 86_400);
  expect((await refresh(next)).status).toBe(200);
  await connectOne();
  await age("RefreshToken", tool.refreshToken, 90 * 86_400 + 1);
  expect(await errorOf(await refresh())).toEqual([400, "invalid_grant"]);
});

test("a refresh token shown again within the grace is answered, later it ends the connection", async () => {
  await connectOne();
  const { access_token: newest } = (await (await refresh()).json()) as Record<string, string>;
  await age("RefreshToken", tool.refreshToken, 60);
  expect((await refresh()).status).toBe(200);
  await age("RefreshToken", tool.refreshToken, 31);
  expect(await errorOf(await refresh())).toEqual([400, "invalid_grant"]);
  expect(await isEnded()).toBe(true);
  expect(await node.accessTokens.find(newest!)).toBeNull();
});

test("a token that was copied is told to whoever connected the tool, and stands in the log", async () => {
  const tenant = await node.makeTenant();
  tool = await connect(node, tenant.owner);
  await refresh();
  await age("RefreshToken", tool.refreshToken, 91);
  await Promise.all([refresh(), refresh()]);
  await sendMails(node.services);
  const letters = node.mails.filter(({ to }) => to === tenant.owner.email);
  expect(letters).toMatchObject([{ subject: "App on a computer (“Claude”) was disconnected: its access may have been copied" }]);
  const query = { action: "tool_token_copied", after: null, limit: 10 };
  const { rows } = await node.services.platform.activity.list(tenant.workspace.id, query);
  expect(rows).toMatchObject([
    { target: { id: tool.connection.id, label: "App on a computer (“Claude”)" }, actor: { type: "system" }, count: 1 },
  ]);
});

test("a refresh token that was used is remembered for a week, not for its 90 days", async () => {
  await connectOne();
  await refresh();
  const record = await node.services.oauthRecords.find("RefreshToken", recordHash(tool.refreshToken));
  const days = (record!.expiresAt! - Date.now() / 1_000) / 86_400;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
});

test("a client that revokes its refresh token ends the connection; one access token is only that", async () => {
  await connectOne();
  expect((await revoke(tool.accessToken, "access_token")).status).toBe(200);
  expect(await node.accessTokens.find(tool.accessToken)).toBeNull();
  expect(await isEnded()).toBe(false);
  const { access_token: next, refresh_token: last } = (await (await refresh()).json()) as Record<string, string>;
  expect(await node.accessTokens.find(next!)).not.toBeNull();
  expect((await revoke(last!)).status).toBe(200);
  expect(await isEnded()).toBe(true);
  expect(await node.accessTokens.find(next!)).toBeNull();
});

test("one client cannot revoke or refresh what another has", async () => {
  await connectOne();
  const { refreshToken, connection } = tool;
  await connectOne();
  await revoke(refreshToken);
  expect(await errorOf(await refresh(refreshToken))).toEqual([400, "invalid_grant"]);
  expect((await node.services.connections.get(connection.id))?.revokedAt).toBeNull();
});

test("a client that is not known any more is told so at the token endpoint", async () => {
  await connectOne();
  await node.services.oauthRecords.destroy("Client", recordHash(tool.clientId));
  expect(await errorOf(await refresh())).toEqual([401, "invalid_client"]);
});
