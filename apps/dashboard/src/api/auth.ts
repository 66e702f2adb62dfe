import { ApiProblem } from "../lib/problem.ts";
import { postJson, request } from "./request.ts";

/** The code of the auth library, where the failure comes from it. */
export const authCodeOf = (error: unknown): string | null => (error instanceof ApiProblem ? error.code : null);

/** The server shows passkeys and the list of sessions only to a person who signed in today. */
export const needsRecentSignIn = (error: unknown): boolean => authCodeOf(error) === "SESSION_NOT_FRESH";

export const authGet = <T>(path: string, init: Pick<RequestInit, "signal"> = {}): Promise<T> => request<T>(`/api/auth${path}`, init);

export const authPost = <T>(path: string, body: object): Promise<T> => postJson<T>(`/api/auth${path}`, body);
