import { ApiProblem, messageOf } from "./problem.ts";
import { postJson, request } from "./request.ts";

/** The auth library speaks in codes of its own; people are told what happened and what to do. */
const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "The e-mail address or the password is not right. Check both, or choose a new password.",
  INVALID_EMAIL: "This is not an e-mail address.",
  INVALID_PASSWORD: "This is not your current password.",
  PASSWORD_TOO_SHORT: "Use at least 10 characters; a few words are easiest to remember.",
  PASSWORD_TOO_LONG: "Use at most 128 characters.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "This address has an account already. Sign in with it.",
  INVALID_TOKEN: "This link was used already, or is older than an hour. Ask for a new one.",
  INVALID_CODE: "This code is not right, has expired, or was used already. Enter the next one that your app shows.",
  INVALID_BACKUP_CODE: "This is none of your backup codes, or it was used already.",
  INVALID_TWO_FACTOR_COOKIE: "This took too long. Sign in again from the beginning.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Sign in again from the beginning.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. The second factor is locked for 15 minutes; try again then.",
  PASSKEY_NOT_FOUND: "This passkey is not known here: it may have been removed. Sign in with your password.",
  AUTHENTICATION_FAILED: "This passkey could not be verified. Try again, or sign in with your password.",
  CHALLENGE_NOT_FOUND: "This took too long. Try again.",
  HOLDER_NOT_VERIFIED:
    "This passkey did not check that it is you. Use one that asks for a fingerprint, your face or a PIN, or set a PIN on your security key first.",
  PREVIOUSLY_REGISTERED: "This device holds a passkey for your account already.",
};

/** The code of the auth library, where the failure comes from it. */
export const authCodeOf = (error: unknown): string | null => (error instanceof ApiProblem ? error.code : null);

/** What to tell a person about a failure around signing in. */
export const authMessageOf = (error: unknown): string => WORDS[authCodeOf(error) ?? ""] ?? messageOf(error);

/** For passkeys and the list of sessions one must have signed in today. */
export const isNotFresh = (error: unknown): boolean => authCodeOf(error) === "SESSION_NOT_FRESH";

export const authGet = <T>(path: string, init: RequestInit = {}): Promise<T> => signedInOnly(() => request<T>(`/api/auth${path}`, init));

export const authPost = <T>(path: string, body: object): Promise<T> => signedInOnly(() => postJson<T>(`/api/auth${path}`, body));

/** A session that ended is the same thing here as everywhere else. */
async function signedInOnly<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401 && authCodeOf(error) === "UNAUTHORIZED") {
      throw new ApiProblem({ status: 401, code: "NOT_SIGNED_IN", detail: "Your session has ended. Sign in again." });
    }
    throw error;
  }
}
