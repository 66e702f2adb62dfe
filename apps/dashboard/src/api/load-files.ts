import { request } from "./request.ts";

/**
 * Loads a part of the dashboard that comes when it is needed. When it does not come because the server cannot be reached, the failure says
 * so; else a newer version has replaced it, which the router answers by loading the whole page anew.
 */
export const loadFiles = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch(async (error: unknown) => {
    await request("/api/session");
    throw error;
  });
