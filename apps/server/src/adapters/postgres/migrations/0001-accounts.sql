-- People who can sign in. Names and shapes are better-auth's own (1.7.7, with the tables of its two-factor and passkey
-- plugins), so that its plugins work without a mapping; a test asserts that it finds nothing to add. Ours beside it: text
-- compares by byte, times are kept to the millisecond. These tables belong to no tenant: one person is in many workspaces.

CREATE TABLE "user" (
  "id" text COLLATE "C" PRIMARY KEY,
  "name" text COLLATE "C" NOT NULL,
  -- Always lower case, so that this is also "one account per address, however it is written".
  "email" text COLLATE "C" NOT NULL UNIQUE CHECK ("email" = lower("email")),
  "emailVerified" boolean NOT NULL,
  "image" text COLLATE "C",
  "createdAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "twoFactorEnabled" boolean
);

CREATE TABLE "session" (
  "id" text COLLATE "C" PRIMARY KEY,
  "expiresAt" timestamptz(3) NOT NULL,
  -- The cookie is this and a signature under the server secret: the row alone signs nobody in.
  "token" text COLLATE "C" NOT NULL UNIQUE,
  "createdAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz(3) NOT NULL,
  "ipAddress" text COLLATE "C",
  "userAgent" text COLLATE "C",
  "userId" text COLLATE "C" NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE INDEX "session_userId_idx" ON "session" ("userId");

-- How a person signs in; a password is a row with the provider `credential`.
CREATE TABLE "account" (
  "id" text COLLATE "C" PRIMARY KEY,
  "accountId" text COLLATE "C" NOT NULL,
  "providerId" text COLLATE "C" NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "accessToken" text COLLATE "C",
  "refreshToken" text COLLATE "C",
  "idToken" text COLLATE "C",
  "accessTokenExpiresAt" timestamptz(3),
  "refreshTokenExpiresAt" timestamptz(3),
  "scope" text COLLATE "C",
  "password" text COLLATE "C",
  "createdAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz(3) NOT NULL
);
CREATE INDEX "account_userId_idx" ON "account" ("userId");

CREATE TABLE "verification" (
  "id" text COLLATE "C" PRIMARY KEY,
  "identifier" text COLLATE "C" NOT NULL,
  "value" text COLLATE "C" NOT NULL,
  "expiresAt" timestamptz(3) NOT NULL,
  "createdAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "verification_identifier_idx" ON "verification" ("identifier");

CREATE TABLE "twoFactor" (
  "id" text COLLATE "C" PRIMARY KEY,
  "secret" text COLLATE "C" NOT NULL,
  "backupCodes" text COLLATE "C" NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz(3)
);
CREATE INDEX "twoFactor_secret_idx" ON "twoFactor" ("secret");
CREATE INDEX "twoFactor_userId_idx" ON "twoFactor" ("userId");

CREATE TABLE "passkey" (
  "id" text COLLATE "C" PRIMARY KEY,
  "name" text COLLATE "C",
  "publicKey" text COLLATE "C" NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "credentialID" text COLLATE "C" NOT NULL,
  "counter" integer NOT NULL,
  "deviceType" text COLLATE "C" NOT NULL,
  "backedUp" boolean NOT NULL,
  "transports" text COLLATE "C",
  "createdAt" timestamptz(3),
  "aaguid" text COLLATE "C"
);
CREATE INDEX "passkey_userId_idx" ON "passkey" ("userId");
CREATE INDEX "passkey_credentialID_idx" ON "passkey" ("credentialID");
