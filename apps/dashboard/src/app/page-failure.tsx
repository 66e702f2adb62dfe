import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorState } from "../ui/error-state.tsx";

/** A page that broke takes nothing else with it. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-16">
      <ErrorState
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}
