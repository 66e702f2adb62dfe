import { type PasskeyOptions, passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";

/**
 * A passkey stands for the password and the second factor at once, so having the device must not be enough: it has to ask its
 * holder for a finger, a face or a PIN. The library takes it either way; what the device says is judged here.
 */
function requireVerifiedHolder(isVerified: boolean | undefined): void {
  if (isVerified !== true)
    throw new APIError("UNAUTHORIZED", { code: "HOLDER_NOT_VERIFIED", message: "The device did not verify its holder" });
}

export const passkeys = (baseUrl: string) =>
  passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: "Stet",
    origin: baseUrl,
    advanced: { webAuthnChallengeCookie: "stet-passkey" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: { afterVerification: ({ verification }) => requireVerifiedHolder(verification.registrationInfo?.userVerified) },
    authentication: { afterVerification: ({ verification }) => requireVerifiedHolder(verification.authenticationInfo.userVerified) },
  } satisfies PasskeyOptions);

export const SIGN_IN_OPTIONS_PATH = "/passkey/generate-authenticate-options";

/** The library would leave it to the device. */
export const withUserVerification = (options: unknown): unknown => ({ ...(options as object), userVerification: "required" });
