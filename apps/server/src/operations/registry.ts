import { operations as posts } from "./posts/index.ts";

/** Everything a person or a tool can do, by name. Transports and the tests of policy and tenancy walk this list. */
export const registry = { ...posts } as const;

export type Registry = typeof registry;
export type OperationName = keyof Registry;
