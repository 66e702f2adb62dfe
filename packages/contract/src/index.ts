export * from "./errors.ts";
export * from "./lists.ts";
export * from "./delivery.ts";
export * from "./problem.ts";
export * from "./webhook-event.ts";
export * from "./sign-in-errors.ts";
export { openapiDocument } from "./openapi/document.ts";
export type { OpenapiDocument, Operation as OpenapiOperation, Parameter as OpenapiParameter } from "./openapi/types.ts";
