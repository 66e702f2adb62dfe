import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonClass } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

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
