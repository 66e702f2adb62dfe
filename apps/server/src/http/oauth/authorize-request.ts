/** The parameters that an authorisation request can have here. The others are for signing in to other services (OpenID), which this is not. */
const KNOWN = new Set(["client_id", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method", "resource"]);

/**
 * The query as the library should see it. There is one scope, so whatever was asked means that one; and the question is always
 * put, unless the client asked for an answer without one, which it then gets: no.
 */
export function readAuthorizeQuery(search: string): string {
  const asked = new URLSearchParams(search);
  const query = new URLSearchParams();
  for (const [name, value] of asked) if (KNOWN.has(name)) query.append(name, value);
  // In the query or not at all: for `form_post` the library would show a page that runs a script, with the code in it.
  if (!["query", null].includes(asked.get("response_mode"))) query.set("response_mode", "not_offered");
  query.set("scope", "mcp offline_access");
  query.set("prompt", asked.get("prompt") === "none" ? "none" : "consent");
  return query.toString();
}
