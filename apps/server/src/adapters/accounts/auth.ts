import { randomUUID } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type pg from "pg";
import { newId, type UserId } from "#domain/ids";
import { PASSWORD } from "#domain/password";
import type { Mail, Mailer } from "#ports/mailer";
import { type AuthSecrets, secretSettings } from "./auth-secrets.ts";
import { datePool } from "./date-pool.ts";
import { acceptOlderCookies } from "./older-cookies.ts";
import { deleteVerifications, takeOverUnverified } from "./unverified-accounts.ts";
import { SIGN_IN_OPTIONS_PATH, passkeys, withUserVerification } from "./passkeys.ts";
import { refuseReplacedPassword } from "./replaced-password.ts";
import { resetMail } from "./reset-mail.ts";
import { securityMail } from "./security-mail.ts";
import { useTotpCodeOnce, TOTP_PATH } from "./totp-once.ts";
import { deleteTurnedOff } from "./turned-off-factor.ts";

export interface AuthOptions extends AuthSecrets {
  readonly pool: pg.Pool;
  /** The public origin, such as `https://stet.example.com`. */
  readonly baseUrl: string;
  /** Whether strangers may make an account themselves, over the library's own endpoint. */
  readonly signups: boolean;
  /** Without one, links to reset a password are made on the command line. */
  readonly mailer?: Mailer;
  /** Ends the connected tools of somebody whose account is taken over. */
  readonly disconnect?: (userId: UserId) => Promise<void>;
  /** A letter that could not be sent: the person who asked is told nothing, so that nobody learns who has an account. */
  readonly onTrouble?: (message: string, error: unknown) => void;
}

const DAY_SECONDS = 24 * 60 * 60;

/** Paths that people use when somebody else may know too much. A password that is replaced by a link has a hook of its own. */
const VOIDS_VERIFICATIONS: ReadonlySet<string> = new Set(["/change-password", "/two-factor/disable"]);

export function authSettings({ pool, baseUrl, signups, mailer, disconnect = async () => {}, onTrouble, ...secrets }: AuthOptions) {
  /** Not awaited: an answer that takes longer for some addresses would tell which of them have an account. */
  const send = (mail: Mail | null): void => {
    if (mail && mailer?.isConfigured) {
      mailer.send(mail).catch((error: unknown) => onTrouble?.("An email about an account was not sent", error));
    }
  };
  const tellFault = (fault: unknown): void => {
    if (fault instanceof Error) onTrouble?.("A request about an account failed", fault);
  };
  return {
    appName: "Stet",
    database: datePool(pool),
    ...secretSettings(secrets),
    baseURL: baseUrl,
    basePath: "/api/auth",
    emailAndPassword: {
      enabled: true,
      // With mail, people sign up by letter (http/dashboard/sign-up.ts): the library's way tells who has an account.
      disableSignUp: !signups || (mailer?.isConfigured ?? false),
      minPasswordLength: PASSWORD.minCharacters,
      maxPasswordLength: PASSWORD.maxCharacters,
      revokeSessionsOnPasswordReset: true,
      async onPasswordReset({ user }) {
        send(securityMail(baseUrl, user, "password by link"));
        await deleteVerifications(pool, user.id);
        await takeOverUnverified(pool, user.id as UserId, disconnect);
      },
      resetPasswordTokenExpiresIn: 60 * 60,
      async sendResetPassword({ user, token }) {
        send(resetMail(baseUrl, user, token));
      },
    },
    // A cached session would outlive its withdrawal.
    session: { cookieCache: { enabled: false }, expiresIn: 30 * DAY_SECONDS, updateAge: DAY_SECONDS },
    // The stored value opens nothing: only its reader knows a link that resets a password.
    verification: { storeIdentifier: "hashed" },
    plugins: [twoFactor({ issuer: "Stet" }), passkeys(baseUrl)],
    hooks: {
      before: createAuthMiddleware(async (context) => {
        // A person who changes a password because somebody knows it wants that somebody out.
        if (context.path === "/change-password") return { context: { body: { ...context.body, revokeOtherSessions: true } } };
        if (context.path === "/two-factor/enable") await deleteTurnedOff(pool, context);
        // A code that was used before is as wrong as any other, and counted like one.
        if (context.path === TOTP_PATH && !(await useTotpCodeOnce(pool, context)))
          return { context: { body: { ...context.body, code: "used" } } };
        return undefined;
      }),
      after: createAuthMiddleware(async ({ path, context }) => {
        const user = context.newSession?.user ?? context.session?.user;
        const isDone = !(context.returned instanceof Error);
        if (isDone && user && VOIDS_VERIFICATIONS.has(path)) await deleteVerifications(pool, user.id);
        // The same path takes the code of a person who signs in; only the request that turns it on has a session and gets a new one.
        const isTurnedOn = path === TOTP_PATH && context.session && context.newSession;
        if (isDone && user) send(securityMail(baseUrl, user, isTurnedOn ? "two-factor turned on" : path));
        return path === SIGN_IN_OPTIONS_PATH && isDone ? withUserVerification(context.returned) : undefined;
      }),
    },
    // In front of the library (http/shared/attempts.ts), by the address that STET_TRUST_PROXY allows and by account.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "stet",
      useSecureCookies: baseUrl.startsWith("https://"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      // Only people are named outside; the library's other rows need no kind.
      database: { generateId: ({ model }) => (model === "user" ? newId("user") : randomUUID()) },
      // The header is written by http/dashboard/auth.ts alone, whatever the client sent.
      ipAddress: { ipAddressHeaders: ["x-stet-client-address"] },
    },
    telemetry: { enabled: false },
    // Only what is ours to mend, and into our log: what a stranger sent must not write lines of its own. Whatever else the
    // library did not expect is thrown, and answered as everywhere.
    logger: { level: "error", log: (_level, message, ...facts) => [message, ...facts].forEach(tellFault) },
    onAPIError: { throw: true },
  } satisfies BetterAuthOptions;
}

export type Auth = ReturnType<typeof createAuth>;

/** The auth library, set up once: e-mail and password, two-factor, passkeys, sessions in our database. */
export function createAuth(options: AuthOptions) {
  const auth = betterAuth(authSettings(options));
  const acceptOlder = acceptOlderCookies(options, async (identifier) => {
    const { internalAdapter } = await auth.$context;
    return (await internalAdapter.findVerificationValue(identifier))?.value ?? null;
  });
  return {
    ...auth,
    handler: (request: Request) =>
      refuseReplacedPassword(options.pool, request, async () =>
        auth.handler(new Request(request, { headers: await acceptOlder(request.headers) })),
      ),
    /** The headers of a request as the library takes them, whichever secret signed its cookies. For its `api`. */
    acceptOlder,
  };
}
