import { openAccounts } from "#adapters/accounts/accounts";
import { startSession } from "#adapters/accounts/sessions";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { openOauth } from "#main/oauth";
import { openTestServices, TEST_SECRET } from "#test/services";
import { expect, test } from "vitest";
import { CALLBACK, pkce } from "./sign-in.ts";

test("behind a proxy that speaks https, cookies are Secure and every address is the public one", async () => {
  const publicUrl = "https://blog.example.com";
  const services = await openTestServices({
    clock: () => new Date(),
    settings: { defaultPlan: "free", firstPlan: "unlimited", planChanges: "owner", publicUrl, outgoingAddresses: [] },
  });
  const { auth } = openAccounts({ pool: services.database.pool, secret: TEST_SECRET, baseUrl: publicUrl, signups: false });
  const log = createLog("silent");
  const oauth = openOauth({ config: readConfig({ PUBLIC_URL: publicUrl }), services, auth });
  const handle = createDispatcher({
    publicUrl,
    log,
    checks: [],
    isStopping: () => false,
    routes: oauth.routes,
    fallback: (_, response) => void response.writeHead(404).end(),
  });
  const server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl, handle });
  const here = `http://127.0.0.1:${server.port}`;
  try {
    const documents = await (await fetch(`${here}/.well-known/oauth-authorization-server`)).text();
    expect(documents).not.toContain("127.0.0.1");
    const registered = await fetch(`${here}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ redirect_uris: [CALLBACK] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const query = new URLSearchParams({
      client_id,
      response_type: "code",
      redirect_uri: CALLBACK,
      code_challenge: pkce().challenge,
      code_challenge_method: "S256",
    });
    const asked = await fetch(`${here}/oauth/authorize?${query.toString()}`, { redirect: "manual" });
    expect(asked.status).toBe(303);
    const cookies = asked.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
    const { owner } = await services.makeTenant();
    const session = (await startSession(auth, owner.id)).split(";")[0]!;
    const page = await fetch(new URL(asked.headers.get("location")!, here), {
      headers: { Cookie: [session, ...cookies.map((cookie) => cookie.split(";")[0])].join("; ") },
    });
    expect(page.status).toBe(200);
    expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(await page.text()).toContain(owner.email);
  } finally {
    await server.stop(0);
    await oauth.close();
    await services.close();
  }
});
