import type { OperationName, OutputFor, RawInputFor, Registry } from "./registry.ts";

/** As JSON carries it: ids and times are plain text here. The server gives them their kinds. */
type Wire<T> = T extends string & { readonly __kind: string }
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T;

export type { OperationName };
export type Input<Name extends OperationName> = Wire<RawInputFor<Registry[Name]>>;
export type Output<Name extends OperationName> = Wire<OutputFor<Registry[Name]>>;
