import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration, errors } from "oidc-provider";
import type { UserId } from "#domain/ids";
import { MCP_PATH } from "#domain/oauth-record";
import type { OauthServices } from "#operations/connections/helpers/oauth-services";
import { withMark } from "#operations/without-actor/token-marks";
import { isHangUp } from "../shared/hang-up.ts";
import { keepErrorsHere } from "./errors-stay-here.ts";
import { deviceFlowPages, renderError } from "./library-pages.ts";
import { cookieKeys, signingKey, successorOf } from "./keys.ts";
import { fetchDocument } from "./metadata-documents.ts";
import { createRecordAdapter } from "./record-adapter.ts";
import { isSafeRedirect } from "./redirects.ts";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Our own command line: the only client that signs in by a code that a person types. */
export const CLI_CLIENT = "stet-cli";
export const CONSENT_PATH = "/oauth/consent";

export interface ProviderOptions {
  readonly services: OauthServices;
  /** How long an access token is good, in seconds. */
  readonly accessTokenSeconds: number;
  /** Whether this client's document may be read now: reading costs us a request to somebody else. */
  mayReadDocument(request: IncomingMessage): Promise<boolean>;
  /** Whether whoever asks has let this client act for them before. */
  isTrusted(request: IncomingMessage, clientId: string): Promise<boolean>;
}

/**
 * The OAuth library with the settings that matter. The scope says nothing: which workspaces a tool reaches and whether it may
 * delete stand in its connection, where they can be narrowed and withdrawn at once.
 */
export function createProvider({ services, accessTokenSeconds, mayReadDocument, isTrusted }: ProviderOptions): Provider {
  const { publicUrl } = services.settings;
  const mcpUrl = publicUrl + MCP_PATH;
  const isSecure = publicUrl.startsWith("https:");
  const cookie = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: true } as const;

  const configuration: Configuration = {
    adapter: createRecordAdapter(services),
    jwks: { keys: [signingKey(services)] },
    cookies: {
      keys: cookieKeys(services),
      names: { session: "stet_oauth", interaction: "stet_oauth_ask", resume: "stet_oauth_resume" },
      long: cookie,
      short: cookie,
    },
    clients: [
      {
        client_id: CLI_CLIENT,
        client_name: "Stet command line",
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
        response_types: [],
        redirect_uris: [],
      },
    ],
    // A metadata document may leave these out (Claude Code's does).
    clientDefaults: {
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "EdDSA",
    },
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    responseTypes: ["code"],
    scopes: ["offline_access", "mcp"],
    pkce: { required: () => true },
    clockTolerance: 0,
    clientBasedCORS: () => true,
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      jwks: "/oauth/jwks",
      device_authorization: "/oauth/device/authorize",
      code_verification: "/oauth/device",
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: MINUTE,
      DeviceCode: 10 * MINUTE,
      Interaction: 60 * MINUTE,
      RefreshToken: 90 * DAY,
      Session: 60 * MINUTE,
      // The connection ends it, not the calendar: refresh tokens slide along for as long as they are used.
      Grant: 3_650 * DAY,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // A second way to begin, past our door, and proofs that no client of ours has.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      deviceFlow: { enabled: true, deviceInfo: () => ({}), ...deviceFlowPages(publicUrl) },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        // Outside of the library's own requests it is the consent page that asks, which has looked at the limit itself.
        allowFetch: async (ctx) => ctx === undefined || mayReadDocument(ctx.req),
        allowClient: (ctx, client) => ctx?.oidc.route !== "device_authorization" && (client.redirectUris ?? []).every(isSafeRedirect),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => mcpUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== mcpUrl && resource !== `${mcpUrl}/`) throw new errors.InvalidTarget(`tokens are issued for ${mcpUrl} only`);
          return { scope: "mcp", audience: mcpUrl, accessTokenFormat: "opaque", accessTokenTTL: accessTokenSeconds };
        },
      },
    },
    fetch: fetchDocument(services),
    interactions: { url: (_ctx, interaction) => `${CONSENT_PATH}/${interaction.uid}` },
    async findAccount(_ctx, id) {
      return (await services.hasAccount(id as UserId)) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined;
    },
    // Only the consent just given counts: every connection asks.
    async loadExistingGrant(ctx) {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    renderError: renderError(publicUrl),
  };
  const provider = new Provider(publicUrl, configuration);
  // Processes of one client race with one token: all of them get the same successor, so that there is one chain and not several.
  const refreshToken = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const randomId = refreshToken.generateTokenId;
  refreshToken.generateTokenId = function () {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? successorOf(services, rotated.jti) : randomId.call(this);
  };
  const accessToken = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
  const unmarked = accessToken.generateTokenId;
  accessToken.generateTokenId = function () {
    return withMark(services.keyring, unmarked.call(this));
  };
  // The handler writes both headers itself, from PUBLIC_URL: whatever a client sent under these names is gone by then.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    const document = ctx.body as { scopes_supported?: string[]; response_modes_supported?: string[] } | undefined;
    if (!document?.scopes_supported) return;
    // The library names it although no id token is ever issued; a client that asks for it would wait for one.
    document.scopes_supported = document.scopes_supported.filter((scope) => scope !== "openid");
    // As the door has it.
    document.response_modes_supported = ["query"];
  });
  keepErrorsHere(provider, publicUrl, isTrusted);
  const report = (error: unknown, ctx?: { readonly res: ServerResponse }): void => {
    if (!ctx || !isHangUp(error, ctx.res)) services.onTrouble("The authorisation server failed", error);
  };
  provider.on("server_error", (ctx, error) => report(error, ctx));
  (provider as EventEmitter).on("error", report);
  return provider;
}
