/**
 * What the dashboard's own API below `/api/auth` refuses with, beside the codes of `errors.ts`: the codes are those of the auth
 * library, the words are ours. No key and no tool ever meets them. `words` is the `detail` of the answer.
 */
export const SIGN_IN_ERRORS = {
  INVALID_EMAIL: { status: 400, words: "This is not an e-mail address." },
  INVALID_PASSWORD: { status: 400, words: "This is not your current password." },
  PASSWORD_TOO_SHORT: { status: 400, words: "Use at least 10 characters; a few words are easiest to remember." },
  PASSWORD_TOO_LONG: { status: 400, words: "Use at most 128 characters." },
  INVALID_TOKEN: { status: 400, words: "This link was used already, or is older than an hour. Ask for a new one." },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { status: 400, words: "Too many wrong codes. Sign in again from the beginning." },
  CHALLENGE_NOT_FOUND: { status: 400, words: "This took too long. Try again." },
  FAILED_TO_VERIFY_REGISTRATION: { status: 400, words: "This passkey could not be added. Try again." },
  EMAIL_PASSWORD_SIGN_UP_DISABLED: { status: 400, words: "Nobody signs up this way here. The sign-up page says how an account begins." },
  AUTH_REFUSED: { status: 400, words: "This cannot be done with your account as it is now. Reload the page, and try again." },
  INVALID_EMAIL_OR_PASSWORD: {
    status: 401,
    words: "The e-mail address or the password is not right. Check both, or choose a new password.",
  },
  INVALID_CODE: { status: 401, words: "This code is not right, has expired, or was used already. Enter the next one that your app shows." },
  INVALID_BACKUP_CODE: { status: 401, words: "This is none of your backup codes, or it was used already." },
  INVALID_TWO_FACTOR_COOKIE: { status: 401, words: "This took too long. Sign in again from the beginning." },
  PASSKEY_NOT_FOUND: { status: 401, words: "This passkey is not known here: it may have been removed. Sign in with your password." },
  AUTHENTICATION_FAILED: { status: 401, words: "This passkey could not be verified. Try again, or sign in with your password." },
  HOLDER_NOT_VERIFIED: {
    status: 401,
    words:
      "This passkey did not check that it is you. Use one that asks for a fingerprint, your face or a PIN, or set a PIN on your security key first.",
  },
  SESSION_NOT_FRESH: { status: 403, words: "For this one must have signed in within the last day. Sign in again." },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { status: 422, words: "This address has an account already. Sign in with it." },
  ACCOUNT_TEMPORARILY_LOCKED: {
    status: 429,
    words: "Too many wrong codes. The second factor is locked for 15 minutes; try again then.",
  },
} as const satisfies Record<string, { status: number; words: string }>;

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS;
