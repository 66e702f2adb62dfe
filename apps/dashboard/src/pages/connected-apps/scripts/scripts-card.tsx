import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";

/** Two ways without an assistant: a person at a terminal, and a script that nobody watches. */
export function ScriptsCard() {
  const [isMaking, setMaking] = useState(false);
  return (
    <Card
      title="Command line, scripts and CI"
      description="In a terminal, sign in with a code. For a script, create a token; it works until you disconnect it here."
      action={<Button onClick={() => setMaking(true)}>New token</Button>}
    >
      <CopyField label="command" value={`stet login --url ${window.location.origin}`} />
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}
