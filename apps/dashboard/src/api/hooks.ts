import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ApiProblem } from "../lib/problem.ts";
import { rpc } from "./rpc.ts";
import type { Input, OperationName, Output } from "./wire.ts";

/** A query under the operation's name and input. A mutation names the operations whose answers it makes stale. */
export const opOptions = <Name extends OperationName>(name: Name, input: Input<Name>) =>
  queryOptions<Output<Name>, ApiProblem>({ queryKey: [name, input], queryFn: ({ signal }) => rpc(name, input, { signal }) });

/**
 * The answer of the server, asked for again when somebody comes back to the window. That can fail, and what is shown and typed must stay
 * then: a page shows the failure in place of its content only where there is no answer yet (`isLoadingError`, not `isError`).
 */
export function useOp<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: {
    enabled?: boolean;
    /** Shows the last answer while the next is on its way (filters, pages). */
    keepPrevious?: boolean;
    /** In milliseconds; false once the answer is final. */
    refetchInterval?: number | ((query: { readonly state: { readonly data: Output<Name> | undefined } }) => number | false);
  } = {},
): UseQueryResult<Output<Name>, ApiProblem> {
  const { keepPrevious, ...rest } = options;
  return useQuery({ ...opOptions(name, input), ...rest, ...(keepPrevious && { placeholderData: keepPreviousData }) });
}

type Listing = {
  [Name in OperationName]: Output<Name> extends { items: unknown[]; nextCursor: string | null } ? Name : never;
}[OperationName];
type ItemOf<Name extends Listing> = Output<Name> extends { items: (infer Item)[] } ? Item : never;

/** A list in pages: the items of all pages loaded so far, and how to load the next page. */
export function useOpPages<Name extends Listing>(name: Name, input: Omit<Input<Name>, "cursor">, options: { enabled?: boolean } = {}) {
  const query = useInfiniteQuery({
    queryKey: [name, "pages", input],
    queryFn: ({ pageParam, signal }) =>
      rpc(name, { ...input, ...(pageParam !== null && { cursor: pageParam }) } as Input<Name>, { signal }) as Promise<{
        items: ItemOf<Name>[];
        nextCursor: string | null;
      }>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    ...options,
  });
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) };
}

/** Asks again for a list when `sign` changes: something small that is polled tells when the long list has moved on. */
export function useRefreshOn(sign: string | number, name: OperationName): void {
  const client = useQueryClient();
  const seen = useRef(sign);
  useEffect(() => {
    if (seen.current === sign) return;
    seen.current = sign;
    void client.invalidateQueries({ queryKey: [name] });
  }, [client, name, sign]);
}

/** A mutation. When it is done, the queries that `stale` names are loaded again wherever they are shown. */
export function useAct<Name extends OperationName>(
  name: Name,
  options: {
    stale?: readonly (OperationName | "session")[];
    onSuccess?: (output: Output<Name>, input: Input<Name>) => void;
    onError?: (problem: ApiProblem, input: Input<Name>) => void;
  } = {},
): UseMutationResult<Output<Name>, ApiProblem, Input<Name>> {
  const client = useQueryClient();
  return useMutation<Output<Name>, ApiProblem, Input<Name>>({
    mutationKey: [name],
    mutationFn: (input) => rpc(name, input),
    onSuccess: async (output, input) => {
      options.onSuccess?.(output, input);
      await Promise.all((options.stale ?? []).map((stale) => client.invalidateQueries({ queryKey: [stale] })));
    },
    ...(options.onError && { onError: options.onError }),
  });
}
