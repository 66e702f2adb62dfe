import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** A form whose details can be tested before they are saved, with what came of it. Enter tests and connects. */
export function TestAndConnect({
  isReady,
  testing,
  connecting,
  passed,
  problem,
  onTest,
  onConnect,
  onCancel,
  children,
}: {
  isReady: boolean;
  testing: boolean;
  connecting: boolean;
  /** What the test found, once it passed. */
  passed: ReactNode;
  problem: { readonly title?: string | undefined; readonly message: string } | null;
  onTest: () => void;
  onConnect: () => void;
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}) {
  const disabled = !isReady || testing || connecting;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) onConnect();
      }}
    >
      {children}
      <div aria-live="polite" className="empty:hidden">
        {passed && !problem && (
          <Notice tone="ok" title="Test passed">
            {passed} Nothing is saved yet.
          </Notice>
        )}
        {problem && (
          <Notice tone="danger" title={problem.title}>
            {problem.message}
          </Notice>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button disabled={disabled} busy={testing} onClick={onTest}>
          Test
        </Button>
        <Button type="submit" variant="primary" disabled={disabled} busy={connecting}>
          Test and connect
        </Button>
      </div>
    </form>
  );
}
