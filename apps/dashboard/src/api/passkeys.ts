import { ApiProblem } from "../lib/problem.ts";
import { authGet, authPost } from "./auth.ts";

/**
 * Whether this browser can hold passkeys here and read what the server asks in JSON. They need https, or `localhost`, and
 * belong to a name: never to an address of numbers.
 */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function" && hasName();

/** Whether this page is reached by a name, and not by an address of numbers. */
export const hasName = (): boolean => !/^[\d.]+$|^\[/.test(window.location.hostname);

export async function signInWithPasskey(): Promise<void> {
  const options = await authGet<PublicKeyCredentialRequestOptionsJSON>("/passkey/generate-authenticate-options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await ask(() => navigator.credentials.get({ publicKey }));
  await authPost("/passkey/verify-authentication", { response: credential.toJSON() });
}

export async function addPasskey(name: string): Promise<void> {
  const options = await authGet<PublicKeyCredentialCreationOptionsJSON>("/passkey/generate-register-options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await ask(() => navigator.credentials.create({ publicKey }));
  await authPost("/passkey/verify-registration", { response: credential.toJSON(), name });
}

/** The browser's own dialog. It says little about why it ended, on purpose. */
async function ask(open: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await open();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") {
      throw refusal("This device already has a passkey for your account.");
    }
  }
  throw refusal("No passkey was used: the browser's dialog was closed or timed out. Try again.");
}

const refusal = (detail: string) => new ApiProblem({ status: 0, code: "UNREADABLE", detail });
