import { type Credentials, deleteCredentials, readCredentials, readScriptToken, writeCredentials } from "./credentials.ts";
import { keepSecret, shownLine } from "./shown.ts";
import { refresh } from "./token-endpoint.ts";

const NOT_SIGNED_IN = "You are not signed in. Run: stet login";

/** As whom and where: the token of a script comes first, then the sign-in of this machine. */
export async function requireAccess(): Promise<Pick<Credentials, "url" | "accessToken"> & { readonly refreshToken?: string }> {
  const access = readScriptToken() ?? (await readCredentials());
  if (!access) throw new Error(NOT_SIGNED_IN);
  return access;
}

/** Asks the server as the person who signed in; when the access token has expired, it fetches the next and asks again. */
export async function askAuthorized(path: string, init: RequestInit = {}): Promise<Response> {
  const access = await requireAccess();
  const first = await send(access, path, init);
  if (first.status !== 401) return first;
  if (access.refreshToken === undefined) {
    throw new Error(
      `${access.url} does not accept the token in STET_TOKEN. An API key only reads: create a token under Connected apps, New token.`,
    );
  }
  const stale = { ...access, refreshToken: access.refreshToken };
  renewing ??= renew(stale).finally(() => (renewing = null));
  return send(await renewing, path, init);
}

/** Calls that are on their way together hear together that the token has expired. A refresh token is used once. */
let renewing: Promise<Credentials> | null = null;

async function renew(stale: Credentials): Promise<Credentials> {
  const current = await readCredentials();
  // Another call, or another command, was first.
  if (current && current.url === stale.url && current.accessToken !== stale.accessToken) return current;
  const renewed = await refresh(stale);
  if ("error" in renewed) {
    if (renewed.error === "invalid_grant" || renewed.error === "invalid_client") await deleteCredentials();
    throw new Error(`You are no longer signed in at ${stale.url}. Run: stet login`);
  }
  await writeCredentials(renewed);
  return renewed;
}

/** The answer of a route below `/api/cli`. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await askAuthorized(path, signal && { signal });
  const body = (await response.json().catch(() => ({}))) as { data?: T } & { detail?: string };
  if (response.ok && body.data !== undefined) return body.data;
  throw new Error(shownLine(body.detail ?? `The server responded with status ${response.status}.`));
}

function send({ url, accessToken }: Pick<Credentials, "url" | "accessToken">, path: string, init: RequestInit): Promise<Response> {
  keepSecret(accessToken);
  const signal = init.signal ?? AbortSignal.timeout(60_000);
  const headers = { ...(init.headers as Record<string, string> | undefined), Authorization: `Bearer ${accessToken}` };
  return fetch(url + path, { ...init, headers, redirect: "error", signal }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new Error(`${url} does not respond. Is the service running?`);
  });
}
