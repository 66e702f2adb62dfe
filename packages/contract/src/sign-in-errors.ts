/**
 * What the dashboard's own API below `/api/auth` refuses with, beside the codes of `errors.ts`: the codes are those of the auth
 * library, the words are ours. No key and no tool ever meets them. `words` is the `detail` of the answer.
 */
export const SIGN_IN_ERRORS = {
  INVALID_EMAIL: { status: 400, words: "Enter a valid email address." },
  INVALID_PASSWORD: { status: 400, words: "This is not your current password." },
  PASSWORD_TOO_SHORT: { status: 400, words: "Use at least 10 characters; a few words are easiest to remember." },
  PASSWORD_TOO_LONG: { status: 400, words: "Use at most 128 characters." },
  INVALID_TOKEN: { status: 400, words: "This link was used or has expired. Request a new one." },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { status: 400, words: "Too many wrong codes. Start again." },
  CHALLENGE_NOT_FOUND: { status: 400, words: "Timed out. Try again." },
  FAILED_TO_VERIFY_REGISTRATION: { status: 400, words: "This passkey could not be added. Try again." },
  EMAIL_PASSWORD_SIGN_UP_DISABLED: { status: 400, words: "You cannot sign up this way. Open the sign-up page." },
  AUTH_REFUSED: { status: 400, words: "Your account does not allow this right now. Reload the page and try again." },
  INVALID_EMAIL_OR_PASSWORD: {
    status: 401,
    words: "Wrong email or password. Try again, or reset your password.",
  },
  INVALID_CODE: { status: 401, words: "Code wrong or expired." },
  INVALID_BACKUP_CODE: { status: 401, words: "Backup code wrong or already used." },
  INVALID_TWO_FACTOR_COOKIE: { status: 401, words: "Your sign-in timed out. Start again." },
  PASSKEY_NOT_FOUND: { status: 401, words: "This passkey is not registered here, or was removed. Sign in with your password." },
  AUTHENTICATION_FAILED: { status: 401, words: "This passkey could not be verified. Try again, or sign in with your password." },
  HOLDER_NOT_VERIFIED: {
    status: 401,
    words: "This passkey did not verify you. Use one that asks for a fingerprint, face or PIN, or set a PIN on your security key first.",
  },
  SESSION_NOT_FRESH: { status: 403, words: "You signed in more than a day ago. Sign in again to do this." },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { status: 422, words: "This email address already has an account. Sign in instead." },
  ACCOUNT_TEMPORARILY_LOCKED: {
    status: 429,
    words: "Too many wrong codes. Try again in 15 minutes.",
  },
} as const satisfies Record<string, { status: number; words: string }>;

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS;
