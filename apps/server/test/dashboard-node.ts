import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostedPlanName, Problem } from "@stet/contract";
import { openAccounts } from "#adapters/accounts/accounts";
import { startSession } from "#adapters/accounts/sessions";
import { openDatabase } from "#adapters/postgres/database";
import type { Actor } from "#domain/actor";
import type { UserId } from "#domain/ids";
import type { Plans } from "#domain/plans";
import type { BucketRule } from "#domain/token-bucket";
import { createDocs } from "#http/docs/routes";
import type { AttemptRules } from "#http/shared/attempts";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { readConfig } from "#main/config";
import { openDashboard } from "#main/dashboard";
import { buildDashboard } from "#main/dashboard-build";
import { openDelivery } from "#main/delivery";
import { createLog } from "#main/log";
import { openMcp } from "#main/mcp";
import { openOauth } from "#main/oauth";
import { disconnectAll } from "#operations/connections/helpers/disconnect-all";
import type { RawInputFor, OutputFor } from "#operations/kernel/operation";
import type { OperationName, Registry } from "#operations/registry";
import type { AccessTokens } from "#ports/connections";
import type { Fetcher } from "#ports/fetcher";
import type { Mail, Mailer } from "#ports/mailer";
import type { OwnImages } from "#ports/own-images";
import { openTestServices, TEST_SECRET, type TestServices } from "#test/services";

export interface DashboardNodeOptions {
  readonly plans?: Plans;
  readonly signups?: "open" | "invited";
  /** STET_DEFAULT_PLAN. */
  readonly defaultPlan?: HostedPlanName;
  readonly planChanges?: "owner" | "operator";
  /** Without: as many attempts to sign in as a test likes. */
  readonly attempts?: AttemptRules;
  /** Without: a connected tool may call as often as a test likes. */
  readonly connectionRate?: BucketRule;
  /** Whether emails can be sent; they are kept in `mails`. */
  readonly mail?: boolean;
  /** The name in PUBLIC_URL. Passkeys are bound to a name, and an IP address is none. */
  readonly hostname?: "127.0.0.1" | "localhost";
  /** Reads addresses that others chose; without it, also those of this machine. */
  readonly fetcher?: Fetcher;
  /** Leads to the stores of websites' owners; without it, to any on this machine. */
  readonly ownImages?: OwnImages;
  /** Builds the pages first. Tests that only speak HTTP do without. */
  readonly pages?: boolean;
  /** Another node of the same install: its database and its PUBLIC_URL, on a port of its own. Tenants are made on the first one. */
  readonly beside?: DashboardNode;
}

/** Whoever has a user id: an account, a member to act as, or the id itself. */
export type Person = UserId | { readonly id: UserId } | Extract<Actor, { userId: UserId }>;

export interface DashboardNode extends Pick<TestServices, "makeTenant" | "makeAccount" | "call"> {
  /** Where the server listens: PUBLIC_URL, unless it stands beside another one. */
  readonly url: string;
  readonly services: TestServices;
  readonly mails: readonly Mail[];
  /** What the MCP endpoint asks about every request. */
  readonly accessTokens: AccessTokens;
  /** A session of this person, as the header `Cookie` carries it. */
  signIn(person: Person): Promise<string>;
  /** Whether a cookie still belongs to somebody. */
  isSignedIn(cookie: string): Promise<boolean>;
  /** A request as the dashboard's own page makes it. */
  fetch(path: string, init?: RequestInit & { cookie?: string }): Promise<Response>;
  /** Runs an operation over HTTP; throws the problem when it is refused. */
  rpc<Name extends OperationName>(cookie: string, name: Name, input: RawInputFor<Registry[Name]>): Promise<OutputFor<Registry[Name]>>;
  stop(): Promise<void>;
}

export class RpcProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

const UNLIMITED: AttemptRules = {
  address: { ratePerSecond: 1_000, burst: 10_000 },
  account: { ratePerSecond: 1_000, burst: 10_000 },
};

/** The whole service in this process, put together as `stet serve` does, on a port and a database of its own. */
export async function openDashboardNode(options: DashboardNodeOptions = {}): Promise<DashboardNode> {
  if (options.pages ?? true) await buildDashboard(() => {});
  // The port is known only when it is open, and everything else needs to know it.
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end();
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1",
    handle: (request, response) => handle(request, response),
  });
  const address = `http://${options.hostname ?? "127.0.0.1"}:${server.port}`;
  const url = options.beside?.url ?? address;
  const config = readConfig({
    PUBLIC_URL: url,
    STET_SIGNUPS: options.signups ?? "invited",
    STET_DEFAULT_PLAN: options.defaultPlan,
    STET_LOG: "silent",
  });
  const mails: Mail[] = [];
  const mailer: Mailer = {
    isConfigured: options.mail ?? false,
    async send(mail) {
      mails.push(mail);
    },
  };
  const services = await openTestServices(
    {
      clock: () => new Date(),
      mailer,
      settings: {
        defaultPlan: config.defaultPlan,
        firstPlan: config.firstPlan,
        planChanges: options.planChanges ?? "owner",
        publicUrl: url,
        outgoingAddresses: [],
      },
      ...(options.plans && { plans: options.plans }),
      ...(options.fetcher && { fetcher: options.fetcher }),
      ...(options.ownImages && { ownImages: options.ownImages }),
    },
    options.beside && openDatabase({ url: options.beside.services.database.pool.options.connectionString! }),
  );
  const { auth } = openAccounts({
    pool: services.database.pool,
    lookUp: (statement) => services.database.query(statement),
    secret: TEST_SECRET,
    baseUrl: url,
    signups: config.signups === "open",
    mailer,
    disconnect: (userId) => disconnectAll(services, userId),
  });
  const log = createLog("silent");
  const delivery = openDelivery({ config, services, log });
  const dashboard = openDashboard({ config, services, auth, attempts: options.attempts ?? UNLIMITED });
  const oauth = openOauth({ config, services, auth, limits: options.attempts ?? UNLIMITED });
  const mcp = openMcp({ config, services, log, tokens: oauth.accessTokens, connectionRate: options.connectionRate ?? UNLIMITED.address });
  handle = createDispatcher({
    publicUrl: url,
    log,
    checks: [],
    isStopping: () => false,
    routes: [...delivery.routes, ...oauth.routes, ...mcp.routes, ...dashboard.routes],
    fallback: dashboard.fallback(createDocs(url)),
  });

  const fetchHere: DashboardNode["fetch"] = (path, { cookie, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("Origin")) headers.set("Origin", url);
    if (cookie) headers.set("Cookie", cookie);
    return fetch(address + path, { redirect: "manual", ...init, headers });
  };

  return {
    url: address,
    services,
    mails,
    accessTokens: oauth.accessTokens,
    makeTenant: (tenant) => services.makeTenant(tenant),
    makeAccount: (name) => services.makeAccount(name),
    call: (operation, actor, input) => services.call(operation, actor, input),
    async signIn(person) {
      const userId = typeof person === "string" ? person : "userId" in person ? person.userId : person.id;
      const cookie = await startSession(auth, userId);
      return cookie.slice(0, cookie.indexOf(";"));
    },
    async isSignedIn(cookie) {
      const { data } = (await (await fetchHere("/api/session", { cookie })).json()) as { data: unknown };
      return data !== null;
    },
    fetch: fetchHere,
    async rpc(cookie, name, input) {
      const response = await fetchHere(`/api/rpc/${name}`, {
        method: "POST",
        cookie,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(input),
      });
      const body = (await response.json()) as Problem & { data: never };
      if (!response.ok) throw new RpcProblem(body);
      return body.data;
    },
    async stop() {
      await server.stop(0);
      await delivery.close();
      await mcp.close();
      await oauth.close();
      await services.close();
    },
  };
}
