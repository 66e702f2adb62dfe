import { createHash, randomBytes } from "node:crypto";
import type { Connection } from "#domain/connection";
import type { WorkspaceId } from "#domain/ids";
import type { DashboardNode, Person } from "#test/dashboard-node";

/** Where the tests' program is answered; nobody listens there. */
export const CALLBACK = "http://localhost:5999/callback";

export interface ConnectOptions {
  readonly workspaces?: "all" | WorkspaceId;
  readonly allowDelete?: boolean;
  readonly clientName?: string;
  /** A client that is registered already, or the address of its metadata document. */
  readonly clientId?: string;
  readonly redirectUri?: string;
}

export interface ConnectedTool {
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly connection: Connection;
}

/** Connects a tool as a program and a person do, over HTTP: register, authorise, consent, fetch the token. */
export async function connect(node: DashboardNode, person: Person, options: ConnectOptions = {}): Promise<ConnectedTool> {
  const clientId = options.clientId ?? (await register(node, { client_name: options.clientName ?? "Claude" }));
  const redirectUri = options.redirectUri ?? CALLBACK;
  const { verifier, challenge } = pkce();
  const browser = await openHeadlessBrowser(node, person);
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge }));
  const answer = await browser.answer(consent, {
    answer: "allow",
    workspaces: options.workspaces ?? "all",
    ...(options.allowDelete && { allowDelete: "yes" }),
  });
  const code = new URL(answer).searchParams.get("code");
  if (code === null) throw new Error(`There is no code in ${answer}`);
  const tokens = await token(node, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const { access_token: accessToken, refresh_token: refreshToken } = (await tokens.json()) as Record<string, string>;
  const found = await node.accessTokens.find(accessToken ?? "");
  if (!tokens.ok || !accessToken || !refreshToken || !found) throw new Error(`The code gave no token that works: ${tokens.status}`);
  return { clientId, accessToken, refreshToken, connection: found.connection };
}

export async function register(node: DashboardNode, metadata: Record<string, unknown> = {}): Promise<string> {
  const response = await postRegistration(node, { redirect_uris: [CALLBACK], ...metadata });
  const body = (await response.json()) as { client_id?: string };
  if (response.status !== 201 || !body.client_id) throw new Error(`Not registered: ${response.status} ${JSON.stringify(body)}`);
  return body.client_id;
}

export const postRegistration = (node: DashboardNode, metadata: unknown): Promise<Response> =>
  fetch(`${node.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(metadata),
  });

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A request as programs make it; `undefined` leaves a parameter out. */
export function authorizeUrl(node: DashboardNode, parameters: Record<string, string | undefined>): string {
  const all = {
    response_type: "code",
    redirect_uri: CALLBACK,
    code_challenge_method: "S256",
    state: "the state",
    resource: `${node.url}/mcp`,
    ...parameters,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
  return `${node.url}/oauth/authorize?${query.toString()}`;
}

export const token = (node: DashboardNode, form: Record<string, string>): Promise<Response> =>
  fetch(`${node.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });

export interface HeadlessBrowser {
  /** From now on this person is signed in to the dashboard. */
  signIn(person: Person): Promise<void>;
  cookie(name: string): string;
  request(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects within this node; answers the address where they end: a page, or another host. */
  follow(url: string): Promise<string>;
  /** Reads the form of the page at this address, fills it in and sends it; answers where that leads. */
  answer(url: string, fields: Record<string, string>): Promise<string>;
}

/** A browser without a screen: it keeps cookies, each for its path, and follows redirects. */
export async function openHeadlessBrowser(node: DashboardNode, person: Person | null): Promise<HeadlessBrowser> {
  const cookies = new Map<string, { name: string; path: string; value: string }>();
  const keep = (line: string): void => {
    const [pair = ""] = line.split(";");
    const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const path = /path=([^;]+)/i.exec(line)?.[1] ?? "/";
    if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(`${name} ${path}`);
    else cookies.set(`${name} ${path}`, { name, path, value });
  };
  const browser: HeadlessBrowser = {
    async signIn(who) {
      keep(await node.signIn(who));
    },
    cookie: (name) => [...cookies.values()].find((cookie) => cookie.name === name)?.value ?? "",
    async request(url, init = {}) {
      const headers = new Headers(init.headers);
      const address = new URL(url, node.url);
      const sent = [...cookies.values()].filter(({ path }) => address.pathname.startsWith(path));
      headers.set("Cookie", sent.map(({ name, value }) => `${name}=${value}`).join("; "));
      if (!headers.has("Accept")) headers.set("Accept", "text/html");
      const response = await fetch(address, { redirect: "manual", ...init, headers });
      response.headers.getSetCookie().forEach(keep);
      return response;
    },
    async follow(url) {
      let at = new URL(url, node.url).href;
      while (at.startsWith(node.url)) {
        const response = await browser.request(at);
        const location = response.headers.get("location");
        if (location === null) return at;
        at = new URL(location, at).href;
      }
      return at;
    },
    async answer(url, fields) {
      const page = await (await browser.request(url)).text();
      const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
      const form = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      const response = await browser.request(url, { method: "POST", body: form, headers: { Origin: node.url } });
      const location = response.headers.get("location");
      return location === null ? url : browser.follow(new URL(location, url).href);
    },
  };
  if (person) await browser.signIn(person);
  return browser;
}
