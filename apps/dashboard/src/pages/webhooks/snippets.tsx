import { Card } from "../../ui/card.tsx";
import { ChoiceTabs } from "../../ui/choice-tabs.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SNIPPETS } from "./verification-programs.ts";

/** Code with which a receiver verifies that a delivery comes from this service. */
export function Snippets() {
  return (
    <Card
      title="Verify the signature"
      description="Call this function with the Service-Signature header, the raw body before parsing, and the endpoint’s signing secret. It rejects signatures older than five minutes."
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
