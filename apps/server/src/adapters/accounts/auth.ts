import { randomUUID } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import type pg from "pg";
import { newId } from "#domain/ids";
import { PASSWORD } from "#domain/password";
import { datePool } from "./date-pool.ts";

export interface AuthOptions {
  readonly pool: pg.Pool;
  /** Signs cookies; derived from the server secret. */
  readonly secret: string;
  /** The public origin, such as `https://stet.example.com`. */
  readonly baseUrl: string;
  /** Whether strangers may make an account themselves, over the library's own endpoint. */
  readonly signups: boolean;
}

export const authSettings = ({ pool, secret, baseUrl, signups }: AuthOptions) =>
  ({
    database: datePool(pool),
    secret,
    baseURL: baseUrl,
    basePath: "/api/auth",
    emailAndPassword: {
      enabled: true,
      disableSignUp: !signups,
      minPasswordLength: PASSWORD.minCharacters,
      maxPasswordLength: PASSWORD.maxCharacters,
    },
    // A cached session would outlive its withdrawal.
    session: { cookieCache: { enabled: false } },
    // Only people are named outside; the library's other rows need no kind.
    advanced: { database: { generateId: ({ model }) => (model === "user" ? newId("user") : randomUUID()) } },
    telemetry: { enabled: false },
    logger: { level: "error" },
  }) satisfies BetterAuthOptions;

export type Auth = ReturnType<typeof createAuth>;

/** The auth library, set up once: e-mail and password, sessions in our database. */
export const createAuth = (options: AuthOptions) => betterAuth(authSettings(options));
