import { isProblem, messageOf } from "../lib/problem.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Replaces content that could not be loaded. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const gone = isProblem(error, "NOT_FOUND");
  return (
    <Notice
      tone={gone ? "warn" : "danger"}
      title={gone ? "Not found" : "This could not be loaded"}
      action={
        onRetry && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {messageOf(error)}
    </Notice>
  );
}
