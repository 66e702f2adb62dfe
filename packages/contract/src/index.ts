export * from "./errors.ts";
export * from "./lists.ts";
export * from "./delivery.ts";
