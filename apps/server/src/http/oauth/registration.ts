import { IncomingMessage, type ServerResponse } from "node:http";
import { cleanClientName } from "#domain/client-name";
import { Failure } from "#domain/failure";
import { readBody } from "../shared/read-body.ts";
import { isSafeRedirect } from "./redirects.ts";

const MOST_BYTES = 16 * 1_024;
const MOST_REDIRECTS = 16;
const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"];

/** A refusal in the words of RFC 7591. */
export class RegistrationError extends Error {
  readonly code: "invalid_client_metadata" | "invalid_redirect_uri";
  constructor(code: RegistrationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The metadata that is registered for a client. Only these fields are kept: a name, where to send the browser, how it
 * shows who it is. Programs ask for much more than they use; refusing them would only keep people from connecting.
 */
function readRegistration(asked: Record<string, unknown>): Record<string, unknown> {
  const uris = asked["redirect_uris"];
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => typeof uri === "string")) {
    throw new RegistrationError("invalid_redirect_uri", "redirect_uris must be a list of at least one address.");
  }
  if (uris.length > MOST_REDIRECTS) throw new RegistrationError("invalid_redirect_uri", `At most ${MOST_REDIRECTS} redirect_uris.`);
  const unsafe = uris.find((uri) => !isSafeRedirect(uri));
  if (unsafe !== undefined) {
    throw new RegistrationError(
      "invalid_redirect_uri",
      "A redirect must be https, http on localhost, or the scheme of an app: its maker's domain written backwards, such as com.example.app:/callback.",
    );
  }
  const method = asked["token_endpoint_auth_method"];
  return {
    client_name: cleanClientName(asked["client_name"]),
    redirect_uris: uris,
    ...supportedMetadata(asked["grant_types"]),
    token_endpoint_auth_method: typeof method === "string" && AUTH_METHODS.includes(method) ? method : "none",
  };
}

/** The features that this server offers to every client, whatever else one asks for. */
export const supportedMetadata = (grantTypes: unknown) => ({
  // Loopback redirects on any port are for native clients only; to https ones it makes no difference.
  application_type: "native",
  grant_types:
    Array.isArray(grantTypes) && !grantTypes.includes("refresh_token") ? ["authorization_code"] : ["authorization_code", "refresh_token"],
  response_types: ["code"],
});

/** Reads the request and answers one with the body that the library should see. */
export async function registrationRequest(request: IncomingMessage, response: ServerResponse): Promise<IncomingMessage> {
  const body = await readBody(request, response, MOST_BYTES).catch((error: unknown) => {
    if (error instanceof Failure) throw new RegistrationError("invalid_client_metadata", error.message);
    throw error;
  });
  let asked: unknown;
  try {
    asked = JSON.parse(body.toString("utf8"));
  } catch {
    throw new RegistrationError("invalid_client_metadata", "The body must be a JSON object.");
  }
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) {
    throw new RegistrationError("invalid_client_metadata", "The body must be a JSON object.");
  }
  const text = Buffer.from(JSON.stringify(readRegistration(asked as Record<string, unknown>)));
  const rewritten = new IncomingMessage(request.socket);
  Object.assign(rewritten, { method: request.method, url: request.url, httpVersion: request.httpVersion, complete: true });
  rewritten.headers = { ...request.headers, "content-type": "application/json", "content-length": String(text.length) };
  delete rewritten.headers["transfer-encoding"];
  rewritten.push(text);
  rewritten.push(null);
  return rewritten;
}
