-- For the sweep: the library removes a session that ended only when its cookie comes back, and most never do.
CREATE INDEX "session_expiresAt_idx" ON "session" ("expiresAt");
