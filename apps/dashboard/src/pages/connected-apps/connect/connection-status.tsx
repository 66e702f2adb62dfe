import { useState } from "react";
import { cn } from "../../../lib/cn.ts";
import type { ConnectionView } from "../connection-words.ts";

/** Whether the app that the person is connecting has made a call. Apps that were connected before the page was opened do not count. */
export function ConnectionStatus({ connections }: { connections: readonly ConnectionView[] }) {
  const [known] = useState(() => new Set(connections.filter(({ calls }) => calls > 0).map(({ id }) => id)));
  const fresh = connections.filter(({ id, isOwn }) => isOwn && !known.has(id));
  const called = fresh.find(({ calls }) => calls > 0);
  const signedIn = fresh[0];
  const [state, words] = called
    ? (["here", `Connected: ${called.client.name} made its first call.`] as const)
    : signedIn
      ? (["near", `${signedIn.client.name} is signed in. Ask it something, such as “list my latest posts”.`] as const)
      : (["away", "Waiting for the first call. This updates on its own."] as const);
  return (
    <p role="status" className="flex items-center gap-3 rounded-control bg-sunken px-3.5 py-3 text-sm">
      <span aria-hidden className="relative grid size-3 shrink-0 place-items-center">
        {state !== "here" && (
          <span
            className={cn(
              "absolute size-3 rounded-full motion-safe:animate-ping",
              state === "near" ? "bg-warn opacity-50" : "bg-line-strong opacity-50",
            )}
          />
        )}
        <span className={cn("size-2.5 rounded-full", state === "here" ? "bg-ok" : state === "near" ? "bg-warn" : "bg-line-strong")} />
      </span>
      <span className={cn(state === "here" ? "font-medium text-ok" : state === "near" ? "" : "text-muted")}>{words}</span>
    </p>
  );
}
