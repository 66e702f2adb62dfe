import { ApiProblem } from "../lib/problem.ts";
import { postJson, request } from "./request.ts";

/** The code of the auth library, where the failure comes from it. */
export const authCodeOf = (error: unknown): string | null => (error instanceof ApiProblem ? error.code : null);

/** For passkeys and the list of sessions one must have signed in today. */
export const isNotFresh = (error: unknown): boolean => authCodeOf(error) === "SESSION_NOT_FRESH";

export const authGet = <T>(path: string, init: RequestInit = {}): Promise<T> => request<T>(`/api/auth${path}`, init);

export const authPost = <T>(path: string, body: object): Promise<T> => postJson<T>(`/api/auth${path}`, body);
