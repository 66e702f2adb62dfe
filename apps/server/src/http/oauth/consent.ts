import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type Provider from "oidc-provider";
import { userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { GrantId } from "#domain/ids";
import { MCP_PATH } from "#domain/oauth-record";
import { connectTool } from "#operations/connections/connect-tool";
import type { OauthServices } from "#operations/connections/helpers/oauth-services";
import { listWorkspaces } from "#operations/workspaces/list-workspaces";
import { requireSameOrigin } from "../shared/same-origin.ts";
import { headersOf, type Sessions, type SignedIn } from "../shared/sessions.ts";
import { html } from "../shared/html.ts";
import { readBody } from "../shared/read-body.ts";
import { type ConsentRequest, readConsentRequest } from "./consent-request.ts";
import { appWords, consentPage } from "./consent-page.ts";
import { formToken, isFormToken } from "./keys.ts";
import { type HtmlPage, htmlPage } from "./html-page.ts";
import { CONSENT_PATH } from "./provider.ts";
import { keepClient } from "./record-adapter.ts";

const MOST_FORM_BYTES = 4 * 1_024;
/** Questions whose answer is remembered, for a form that comes twice within moments. */
const MOST_REMEMBERED = 1_000;

/** The question that an answer belongs to: a document that meanwhile names its client otherwise makes it another question. */
const wordsOf = ({ uid, client }: ConsentRequest): string => `${uid} ${client.name}`;

/**
 * The question that is always put: may this program act for you, where, and may it delete? Who is asked is whoever is signed in
 * to the dashboard in this browser; the library's own session never decides.
 */
export function createConsent(options: {
  services: OauthServices;
  sessions: Sessions;
  provider: Provider;
  /** Throws when too many documents of clients were read for this address. */
  limitDocuments: (request: IncomingMessage) => Promise<unknown>;
}) {
  const { services, sessions, provider, limitDocuments } = options;
  const { publicUrl } = services.settings;
  const answers = new LRUCache<string, Promise<GrantId>>({ max: MOST_REMEMBERED });

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const asked = await readConsentRequest(provider, request, response, limitDocuments);
    // The cookie names the question; an address of another one is a mistake, or bait.
    if (!asked || path !== `${CONSENT_PATH}/${asked.uid}`) return send(response, 400, endedPage(publicUrl));
    const form = request.method === "POST" ? await readForm(request, response) : null;
    // Last: a form can be sent slowly, and the session must not have ended meanwhile.
    const person = await sessions.of(headersOf(request));
    if (!person) return redirect(response, `/sign-in?next=${encodeURIComponent(path)}`);
    if (person.setCookies.length > 0) response.setHeader("Set-Cookie", [...person.setCookies]);
    if (form) await answer(request, response, asked, person, form);
    else await ask(response, asked, person, null);
  };

  async function ask(response: ServerResponse, asked: ConsentRequest, person: SignedIn, problem: string | null): Promise<void> {
    const workspaces = await services.execute(listWorkspaces, userActor(person.userId), {});
    const content = consentPage({
      ...asked,
      account: person,
      workspaces,
      problem,
      formToken: formToken(services, person.sessionId, wordsOf(asked)),
    });
    const targets = asked.destination ? [asked.destination.formAction] : [];
    send(response, problem === null ? 200 : 422, htmlPage(publicUrl, `Connect ${appWords(asked)}`, content, targets));
  }

  async function readForm(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
    requireSameOrigin(request, publicUrl);
    return new URLSearchParams((await readBody(request, response, MOST_FORM_BYTES)).toString("utf8"));
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: ConsentRequest,
    person: SignedIn,
    form: URLSearchParams,
  ): Promise<void> {
    if (!isFormToken(services, person.sessionId, wordsOf(asked), form.get("token") ?? "")) {
      return ask(response, asked, person, "This page was out of date. Review it, then choose again.");
    }
    if (form.get("answer") !== "allow") {
      const denied = { error: "access_denied", error_description: "The person denied access." };
      return provider.interactionFinished(request, response, denied, { mergeWithLastSubmission: false });
    }
    const connected = await connectOnce(asked, person, form).catch((error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    });
    if (connected instanceof Failure) {
      const isChoice = connected.code === "NOT_FOUND" || connected.code === "VALIDATION_FAILED";
      return ask(response, asked, person, isChoice ? "Choose one of your workspaces, or all of them." : connected.message);
    }
    const result = { login: { accountId: person.userId as string, remember: false }, consent: { grantId: connected as string } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  /**
   * Allow pressed twice is one answer: a second connection would have no token, and stay in the list as one that is never used. Whoever went
   * back and chose otherwise gets what they chose last.
   */
  function connectOnce(asked: ConsentRequest, person: SignedIn, form: URLSearchParams): Promise<GrantId> {
    const key = JSON.stringify([asked.uid, person.userId, form.get("workspaces"), form.get("allowDelete")]);
    const before = answers.get(key);
    if (before) return before;
    const answer = connect(asked, person, form);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  }

  async function connect(asked: ConsentRequest, person: SignedIn, form: URLSearchParams): Promise<GrantId> {
    const { connection } = await services.execute(connectTool, userActor(person.userId), {
      kind: asked.client.isOurs ? "cli" : "ai",
      client: { id: asked.clientId, name: asked.client.name, host: asked.client.host, redirectHost: asked.destination?.name ?? null },
      workspaces: form.get("workspaces") ?? "",
      allowDelete: form.get("allowDelete") === "yes",
    });
    await grant(asked, person, connection.id);
    return connection.id;
  }

  /** The library's own record of the consent bears the connection's id, and so does every token that comes of it. */
  async function grant(asked: ConsentRequest, person: SignedIn, id: GrantId): Promise<void> {
    const mcpUrl = publicUrl + MCP_PATH;
    const record = new provider.Grant({ accountId: person.userId, clientId: asked.clientId });
    record.jti = id;
    record.addOIDCScope("mcp offline_access");
    record.addResourceScope(mcpUrl, "mcp");
    record.addResourceScope(`${mcpUrl}/`, "mcp");
    await record.save();
    await keepClient(services, asked.clientId);
  }
}

const endedPage = (publicUrl: string): HtmlPage =>
  htmlPage(
    publicUrl,
    "Not connected",
    html`<h1>This request has expired</h1>
      <p>It was already answered, is more than an hour old, or this browser blocks cookies. Go back to the app and connect again.</p>`,
  );

function send(response: ServerResponse, status: number, page: HtmlPage): void {
  response.writeHead(status, { ...page.headers, "Content-Length": Buffer.byteLength(page.body) });
  response.end(response.req.method === "HEAD" ? undefined : page.body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, "Cache-Control": "no-store", "Content-Length": 0 });
  response.end();
}
