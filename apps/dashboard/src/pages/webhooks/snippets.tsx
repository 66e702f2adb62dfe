import { Card } from "../../ui/card.tsx";
import { ChoiceTabs } from "../../ui/choice-tabs.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SNIPPETS } from "./verification-programs.ts";

/** How a receiver makes sure that a delivery is ours. */
export function Snippets() {
  return (
    <Card
      title="Verify the signature"
      description="Give it the header Service-Signature, the body as it came, before parsing it, and the signing secret of the endpoint. It refuses what was signed more than five minutes ago."
    >
      <ChoiceTabs
        label="Language"
        choices={SNIPPETS.map(({ language, code }) => ({
          id: language,
          name: language,
          content: <CopyField label={`${language} program`} value={code} multiline />,
        }))}
      />
    </Card>
  );
}
