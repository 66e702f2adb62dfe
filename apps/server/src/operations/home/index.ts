import { getHome } from "./get-home.ts";

export const operations = { get_home: getHome } as const;
