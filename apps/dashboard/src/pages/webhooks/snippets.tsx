import { Card } from "../../ui/card.tsx";
import { ChoiceTabs } from "../../ui/choice-tabs.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SNIPPETS } from "./verification-programs.ts";

/** How a receiver makes sure that a delivery is ours. */
export function Snippets() {
  return (
    <Card
      title="Verify the signature"
      description="Check the bytes as they came, before parsing them, and refuse what was signed more than five minutes ago."
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
