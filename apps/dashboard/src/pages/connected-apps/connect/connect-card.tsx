import { Card } from "../../../ui/card.tsx";
import { ChoiceTabs } from "../../../ui/choice-tabs.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { ConnectionView } from "../connection-words.ts";
import { type ClientSteps, clientSteps } from "./clients.ts";
import { ConnectionStatus } from "./connection-status.tsx";

const isThisMachine = () => ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);

/** The address, the steps to connect an app, and a status that turns green when the first call arrives. */
export function ConnectCard({ connections }: { connections: readonly ConnectionView[] }) {
  const url = `${window.location.origin}/mcp`;
  const clients = clientSteps(url);
  return (
    <Card
      title={connections.length === 0 ? "Connect your assistant" : "Connect another assistant"}
      description="Give it this address. It signs in through your browser, where you choose its access."
    >
      <div className="flex flex-col gap-5">
        <CopyField value={url} label="MCP address" />
        <ChoiceTabs
          label="Your assistant"
          initial={clients.find(({ fromOutside }) => !(fromOutside && isThisMachine()))?.id}
          choices={clients.map((client) => ({ id: client.id, name: client.name, content: <Steps client={client} /> }))}
        />
        <ConnectionStatus connections={connections} />
      </div>
    </Card>
  );
}

function Steps({ client: { name, steps, snippet, fromOutside } }: { client: ClientSteps }) {
  return (
    <>
      <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-sm marker:text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {snippet && <CopyField multiline value={snippet.code} label={snippet.name} />}
      {fromOutside && isThisMachine() && (
        <Notice tone="warn" title="This address works only on this computer">
          {name} calls from the internet. Run Stet under a public address (PUBLIC_URL) first, or use an assistant on this computer.
        </Notice>
      )}
    </>
  );
}
