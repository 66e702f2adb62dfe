export * from "./errors.ts";
export * from "./lists.ts";
