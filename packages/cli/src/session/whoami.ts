import { ask } from "./ask.ts";

/** As whom this machine is signed in, and how far that reaches. */
export interface Whoami {
  readonly account: { readonly name: string; readonly email: string };
  readonly connection: { readonly workspaces: string; readonly allowDelete: boolean };
  readonly workspaces: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: string;
    readonly websites: readonly { readonly id: string; readonly name: string }[];
  }[];
}

export const askWhoami = (): Promise<Whoami> => ask<Whoami>("/api/cli/whoami");
