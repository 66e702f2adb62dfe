/** The one place that knows where the operations live. Types only: no code of the server reaches the browser. */
export type { Permission, Reach } from "../../../server/src/domain/access.ts";
export type { OutputFor, RawInputFor } from "../../../server/src/operations/kernel/operation.ts";
export type { OperationName, Registry } from "../../../server/src/operations/registry.ts";
