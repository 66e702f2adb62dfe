import type { Credentials } from "./credentials.ts";
import { keepSecret } from "./shown.ts";

const CLIENT_ID = "stet-cli";
export const SCOPE = "mcp offline_access";

interface TokenAnswer {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** Sends a form to the authorisation server, as our own client. */
export async function postForm(url: string, path: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...form });
  return fetch(url + path, { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(30_000) }).catch(() => {
    throw new Error(`${url} does not respond. Is the service running, and is the address right?`);
  });
}

/** Credentials, or the error in the words of OAuth. */
export async function askForTokens(url: string, form: Record<string, string>): Promise<Credentials | { readonly error: string }> {
  const response = await postForm(url, "/oauth/token", form);
  const answer = (await response.json().catch(() => ({}))) as TokenAnswer;
  if (answer.access_token && answer.refresh_token) {
    for (const token of [answer.access_token, answer.refresh_token]) keepSecret(token);
    return { url, accessToken: answer.access_token, refreshToken: answer.refresh_token };
  }
  return { error: answer.error ?? `status ${response.status}` };
}

export const refresh = (credentials: Credentials): Promise<Credentials | { readonly error: string }> =>
  askForTokens(credentials.url, { grant_type: "refresh_token", refresh_token: credentials.refreshToken });
