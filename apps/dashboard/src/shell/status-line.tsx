import { useIsMutating } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Spinner } from "../ui/spinner.tsx";

export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener("online", listener);
      window.addEventListener("offline", listener);
      return () => {
        window.removeEventListener("online", listener);
        window.removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
}

/** One quiet line that says whether what was done has reached the server. */
export function StatusLine() {
  const saving = useIsMutating() > 0;
  const online = useOnline();
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saving) return;
    return () => setSaved(true);
  }, [saving]);
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), 3_000);
    return () => clearTimeout(timer);
  }, [saved]);
  return (
    <p role="status" className="flex h-5 items-center gap-2 px-2.5 text-xs text-muted">
      {!online ? (
        <>
          <CloudOff aria-hidden className="size-3.5 text-warn" /> Offline: changes wait here
        </>
      ) : saving ? (
        <>
          <Spinner className="size-3.5" /> Saving …
        </>
      ) : saved ? (
        "Saved"
      ) : null}
    </p>
  );
}
