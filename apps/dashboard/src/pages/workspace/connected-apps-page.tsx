import { Bot } from "lucide-react";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";

const COMING = [
  ["It acts for you", "A connected tool does what you may do, and at most what you grant it: never settings, keys, members or the plan."],
  ["You see what it did", "Each change carries the tool’s mark, in the history of a post and in the activity log."],
  ["You can end it", "Narrow a grant or take it back, and its next request is refused."],
] as const;

export function ConnectedAppsPage() {
  return (
    <Page title="Connected apps" description="Assistants and scripts that write for you, within what you allow.">
      <div className="flex max-w-3xl flex-col gap-6">
        <EmptyState icon={Bot} title="No assistant is connected">
          The MCP server, through which assistants such as Claude connect, arrives with a later version. Until then nothing but people and
          project keys has access to this workspace.
        </EmptyState>
        <Card title="How it will work">
          <dl className="flex flex-col gap-4 text-sm">
            {COMING.map(([what, how]) => (
              <div key={what}>
                <dt className="font-medium">{what}</dt>
                <dd className="text-muted">{how}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </Page>
  );
}
