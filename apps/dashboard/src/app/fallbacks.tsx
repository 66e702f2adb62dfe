import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";

export function NotFound() {
  return (
    <main className="mx-auto max-w-xl px-4 py-20">
      <EmptyState
        icon={Compass}
        title="Page not found"
        action={
          <Link to="/" className={buttonClass()}>
            Go home
          </Link>
        }
      >
        The address may be wrong, the page may have been removed, or you may not have access to it.
      </EmptyState>
    </main>
  );
}

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
