import { ErrorState } from "../../../ui/error-state.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { Findings } from "../publish/findings.tsx";
import { type Finding, useChecks } from "../publish/use-checks.ts";

export function ChecksTab({ onGo }: { onGo: (finding: Finding) => void }) {
  const checks = useChecks(true);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-[0.8125rem] text-muted">Checked on every save.</p>
      {checks.data ? (
        <Findings findings={checks.data} onGo={onGo} />
      ) : checks.isError ? (
        <ErrorState error={checks.error} onRetry={() => void checks.refetch()} />
      ) : (
        <Loading label="Checking …" />
      )}
    </div>
  );
}
