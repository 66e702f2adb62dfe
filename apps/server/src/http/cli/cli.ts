import type { IncomingMessage, ServerResponse } from "node:http";
import { type Actor, toolActor } from "#domain/actor";
import type { Connection } from "#domain/connection";
import { fail } from "#domain/failure";
import { getAccount } from "#operations/accounts/get-account";
import type { TransportServices } from "#operations/kernel/transport-services";
import { type EventPage, listEvents } from "#operations/webhooks/list-events";
import { listWorkspaces } from "#operations/workspaces/list-workspaces";
import type { Handler, Route } from "../dispatcher.ts";
import { waitForEvent } from "./wait-for-event.ts";

const CLI_PATH = "/api/cli";
/** How long a question for events waits for one, in milliseconds: shorter than proxies wait for an answer. */
const PATIENCE_MILLIS = 25_000;
/** How many may wait at once for one connection. */
const MOST_WAITING = 4;

export interface CliOptions {
  readonly services: TransportServices;
  /** The connection behind an access token, as it is now. */
  readonly tokens: { find(token: string): Promise<{ readonly connection: Connection } | null> };
  readonly patienceMillis?: number;
}

/** The questions that `stet` asks for the person who signed in: who am I, and what happens on my website. Nothing here changes anything. */
export function createCli({ services, tokens, patienceMillis = PATIENCE_MILLIS }: CliOptions): {
  readonly route: Route;
  /** Answers waiting requests right away: the service stops. */
  endWaiting(): void;
} {
  const waiting = new Map<string, number>();
  const stopping = new AbortController();

  const handle: Handler = async (request, response, { path }) => {
    if (request.method !== "GET") throw fail("METHOD_NOT_ALLOWED", "Use GET here.", { allow: "GET" });
    const connection = await admit(request, response);
    const actor = toolActor(connection.userId, connection);
    if (path === `${CLI_PATH}/whoami`) return send(response, await whoami(actor, connection));
    if (path === `${CLI_PATH}/events`) return send(response, await events(request, response, actor, connection));
    throw fail("ROUTE_NOT_FOUND", "There is no such route.");
  };

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<Connection> {
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? "")?.[1];
    const found = token === undefined ? null : await tokens.find(token);
    if (!found) {
      response.setHeader("WWW-Authenticate", 'Bearer error="invalid_token"');
      throw fail("NOT_SIGNED_IN", "This machine is not signed in, or was disconnected. Run: stet login");
    }
    if (found.connection.kind === "ai") throw fail("GRANT_FORBIDS", "This is for the command line. An assistant connects to /mcp.");
    return found.connection;
  }

  async function whoami(actor: Actor, connection: Connection) {
    const [account, reachable] = await Promise.all([services.execute(getAccount, actor, {}), services.execute(listWorkspaces, actor, {})]);
    const { workspaces, allowDelete } = connection;
    return {
      account: { id: account.id, name: account.name, email: account.email },
      connection: { id: connection.id, workspaces, allowDelete },
      workspaces: reachable.map(({ id, name, plan, role, websites }) => ({
        id,
        name,
        plan,
        role,
        websites: websites.map((website) => ({ id: website.id, name: website.name })),
      })),
    };
  }

  async function events(request: IncomingMessage, response: ServerResponse, actor: Actor, { id }: Connection) {
    const query = new URL(request.url!, services.settings.publicUrl).searchParams;
    const after = query.get("after");
    const input = { websiteId: query.get("website") ?? "", after: after === null ? null : Number(after) };
    const first = await services.execute(listEvents, actor, input);
    if (first.events.length > 0 || after === null) return shown(first);
    const others = waiting.get(id) ?? 0;
    if (others >= MOST_WAITING) throw fail("RATE_LIMITED", "Too many listeners are connected. Stop one.", { retryAfterSeconds: 5 });
    waiting.set(id, others + 1);
    try {
      await waitForEvent(services, first.websiteId, AbortSignal.any([stopping.signal, AbortSignal.timeout(patienceMillis)]), response);
    } finally {
      const left = (waiting.get(id) ?? 1) - 1;
      if (left > 0) waiting.set(id, left);
      else waiting.delete(id);
    }
    // Asked again in full: a person who was disconnected, or lost their role, while they waited hears nothing.
    const present = await admit(request, response);
    return shown(await services.execute(listEvents, toolActor(present.userId, present), input));
  }

  return { route: { path: CLI_PATH, handle }, endWaiting: () => stopping.abort() };
}

const shown = ({ after, events }: EventPage) => ({ after, events });

function send(response: ServerResponse, data: unknown): void {
  if (response.destroyed) return;
  const body = Buffer.from(JSON.stringify({ data }));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length, "Cache-Control": "no-store" });
  response.end(body);
}
