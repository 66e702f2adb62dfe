import type { Auth } from "#adapters/accounts/auth";
import { createCli } from "#http/cli/cli";
import { createOauth, type OauthOptions } from "#http/oauth/oauth";
import { createAccessTokens } from "#operations/without-actor/access-tokens";
import { createLastUses } from "#operations/connections/helpers/last-uses";
import { oauthServices } from "#operations/connections/helpers/oauth-services";
import type { Services } from "#operations/kernel/services";
import { transportServices } from "#operations/kernel/transport-services";
import type { AccessTokens } from "#ports/connections";
import type { Route } from "#http/dispatcher";
import type { Rates } from "#usage/rates/rates";
import type { Config } from "./config.ts";
import { sessionsWith } from "./dashboard.ts";

/** How connected tools sign in, put together, and the check of what they were given. */
export function openOauth(options: {
  config: Pick<Config, "trustedProxies" | "accessTokenSeconds">;
  services: Services;
  auth: Auth;
  limits?: OauthOptions["limits"];
  rates?: Rates;
}): {
  readonly routes: readonly Route[];
  readonly accessTokens: AccessTokens;
  /** Answers the requests that wait for events, so that they do not hold up the end of the service. */
  endWaiting(): void;
  close(): Promise<void>;
} {
  const { config, services, auth, limits, rates } = options;
  const { routes } = createOauth({
    services: oauthServices(services),
    sessions: sessionsWith(auth),
    trustedProxies: config.trustedProxies,
    accessTokenSeconds: config.accessTokenSeconds,
    ...(limits && { limits }),
    ...(rates && { rates }),
  });
  const tokens = createAccessTokens(services);
  const lastUses = createLastUses(services);
  const accessTokens: AccessTokens = {
    ...tokens,
    async find(token) {
      const found = await tokens.find(token);
      if (found) lastUses.add(found.connection.id);
      return found;
    },
  };
  const cli = createCli({ services: transportServices(services), tokens: accessTokens });
  return {
    routes: [...routes, cli.route],
    accessTokens,
    endWaiting: cli.endWaiting,
    close: () => lastUses.close(),
  };
}
