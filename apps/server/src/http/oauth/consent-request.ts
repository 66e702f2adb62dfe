import type { IncomingMessage, ServerResponse } from "node:http";
import { errors, type Provider } from "oidc-provider";
import { cleanClientName } from "#domain/client-name";
import type { Question } from "./consent-page.ts";
import { CLI_CLIENT } from "./provider.ts";
import { destinationOf } from "./redirects.ts";

/** Which program asks for what: what is known of the question before anyone answers it. */
export interface ConsentRequest extends Pick<Question, "client" | "destination" | "userCode"> {
  readonly uid: string;
  readonly clientId: string;
}

/**
 * Null: there is no such question any more, this browser is not the one it was put to, or nobody can be asked any more who the
 * program is. Its document is read anew here when it was forgotten: people read slowly, and another node may have put the question.
 */
export async function readConsentRequest(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  limitDocuments: (request: IncomingMessage) => Promise<unknown>,
): Promise<ConsentRequest | null> {
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  });
  const clientId = details?.params["client_id"];
  if (!details || typeof clientId !== "string") return null;
  if (URL.canParse(clientId)) await limitDocuments(request);
  const client = await provider.Client.find(clientId).catch((error: unknown) => {
    if (error instanceof errors.InvalidClient) return undefined;
    throw error;
  });
  if (!client) return null;
  const redirectUri = details.params["redirect_uri"];
  const destination = details.deviceCode === undefined && typeof redirectUri === "string" ? destinationOf(redirectUri) : null;
  if (details.deviceCode === undefined && !destination) return null;
  const code = details.deviceCode === undefined ? undefined : await provider.DeviceCode.find(details.deviceCode);
  const isDocument = (client as { clientIdMetadataDocument?: boolean }).clientIdMetadataDocument === true;
  return {
    uid: details.uid,
    clientId: client.clientId,
    client: {
      name: cleanClientName(client.clientName),
      host: isDocument ? new URL(client.clientId).host : null,
      isOurs: client.clientId === CLI_CLIENT,
    },
    destination,
    userCode: code?.userCode ? `${code.userCode.slice(0, 4)}-${code.userCode.slice(4)}` : null,
  };
}
