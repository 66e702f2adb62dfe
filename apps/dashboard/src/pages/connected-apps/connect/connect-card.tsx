import { Tabs } from "radix-ui";
import { Card } from "../../../ui/card.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { ConnectionView } from "../connection-words.ts";
import { clientSteps } from "./clients.ts";
import { LiveSign } from "./live-sign.tsx";

const isThisMachine = () => ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);

/** The address, what to do with it, and a sign that turns green when the first call arrives. */
export function ConnectCard({ connections }: { connections: readonly ConnectionView[] }) {
  const url = `${window.location.origin}/mcp`;
  return (
    <Card
      title={connections.length === 0 ? "Connect your assistant" : "Connect another assistant"}
      description="Give it this address. It signs in through your browser, and you choose there what it may do."
    >
      <div className="flex flex-col gap-5">
        <CopyField value={url} label="MCP address" />
        <Tabs.Root defaultValue="claude" className="flex flex-col gap-4">
          <Tabs.List aria-label="Your assistant" className="flex gap-1 overflow-x-auto border-b border-line">
            {clientSteps(url).map(({ id, name }) => (
              <Tabs.Trigger
                key={id}
                value={id}
                className="-mb-px shrink-0 border-b-2 border-transparent px-2.5 py-2 text-sm text-muted -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
              >
                {name}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {clientSteps(url).map(({ id, name, steps, snippet, fromOutside }) => (
            <Tabs.Content key={id} value={id} tabIndex={-1} className="flex flex-col gap-4">
              <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-sm marker:text-muted">
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              {snippet && <CopyField multiline value={snippet.code} label={snippet.name} />}
              {fromOutside && isThisMachine() && (
                <Notice tone="warn" title="Only this computer reaches this address">
                  {name} calls from the internet. Run Stet under a public address (PUBLIC_URL) first, or use an assistant on this computer.
                </Notice>
              )}
            </Tabs.Content>
          ))}
        </Tabs.Root>
        <LiveSign connections={connections} />
      </div>
    </Card>
  );
}
