import type { PlanName, Role } from "@stet/contract";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { requireOpener } from "./opened-by.ts";
import type { Permission, Reach } from "./registry.ts";
import { request } from "./request.ts";

export interface SessionWorkspace {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly role: Role;
  /** How far each permission reaches for this role: the server's own table, so that the dashboard has no rule of its own. */
  readonly reach: Readonly<Record<Permission, Reach>>;
  readonly websites: readonly { readonly id: string; readonly name: string }[];
}

export interface Session {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Whether a letter to the address was answered. */
    readonly emailVerified: boolean;
    readonly twoFactorEnabled: boolean;
  };
  readonly workspaces: readonly SessionWorkspace[];
}

export interface Install {
  readonly needsSetup: boolean;
  readonly signups: "open" | "invited";
  /** Whether mail can be sent; without it links are passed on by hand. */
  readonly mail: boolean;
  readonly version: string;
}

/** Null: nobody is signed in. */
export const sessionOptions = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const { data } = await request<{ data: Session | null }>("/api/session", { signal });
    requireOpener(data?.user ?? null);
    return data;
  },
  staleTime: 60_000,
});

export const installOptions = queryOptions({
  queryKey: ["install"],
  queryFn: async ({ signal }) => (await request<{ data: Install }>("/api/install", { signal })).data,
  staleTime: 60_000,
});

/** The signed-in person, for components below routes that require a sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionOptions);
  if (!data) throw new Error("Nobody is signed in.");
  return data;
}
