import { queryOptions } from "@tanstack/react-query";
import { authGet } from "./auth.ts";

export const SESSIONS_KEY = ["auth", "sessions"] as const;

export interface DeviceSession {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly isThis: boolean;
}

/** The devices on which the person is signed in: this device first, then the latest. */
export const sessionsOptions = queryOptions({
  queryKey: SESSIONS_KEY,
  queryFn: async ({ signal }): Promise<readonly DeviceSession[]> => {
    const [current, sessions] = await Promise.all([
      authGet<{ session: { token: string } } | null>("/get-session", { signal }),
      authGet<readonly Omit<DeviceSession, "isThis">[]>("/list-sessions", { signal }),
    ]);
    return sessions
      .map((session) => ({ ...session, isThis: session.token === current?.session.token }))
      .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.createdAt.localeCompare(a.createdAt));
  },
});
