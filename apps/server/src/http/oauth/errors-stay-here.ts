import type { IncomingMessage } from "node:http";
import type { errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import { renderError } from "./library-pages.ts";

/**
 * Anybody can register a client, and a request that is wrong on purpose would be answered by a redirect to wherever the client says: our
 * address would lead people to any other without a click. An error is sent to a client only if whoever asks has let it act for them
 * before. To everybody else it is shown here. Deny is a click on our page, and is told to the client.
 */
export function keepErrorsHere(
  provider: Provider,
  publicUrl: string,
  isTrusted: (request: IncomingMessage, clientId: string) => Promise<boolean>,
): void {
  const failed = new WeakMap<KoaContextWithOIDC, errors.OIDCProviderError>();
  provider.on("authorization.error", (ctx, error) => void failed.set(ctx, error));
  provider.on("server_error", (ctx, error) => void failed.set(ctx, error as errors.OIDCProviderError));
  const render = renderError(publicUrl);
  provider.use(async (koa, next) => {
    await next();
    const ctx = koa as KoaContextWithOIDC;
    const error = failed.get(ctx);
    if (!error || ctx.response.get("Location") === "") return;
    const { client, route } = ctx.oidc;
    if (route === "resume" && error.error === "access_denied") return;
    if (client && (await isTrusted(ctx.req, client.clientId))) return;
    ctx.remove("Location");
    ctx.status = error.statusCode >= 400 ? error.statusCode : 400;
    render(ctx, { error: error.error ?? "server_error", error_description: error.error_description });
  });
}
