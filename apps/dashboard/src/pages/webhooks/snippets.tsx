import { Tabs } from "radix-ui";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SNIPPETS } from "./verification-programs.ts";

/** How a receiver makes sure that a delivery is ours. */
export function Snippets() {
  return (
    <Card
      title="Verify the signature"
      description="Check the bytes as they came, before parsing them, and refuse what was signed more than five minutes ago."
    >
      <Tabs.Root defaultValue={SNIPPETS[0]?.language ?? ""}>
        <Tabs.List aria-label="Language" className="mb-3 flex gap-1">
          {SNIPPETS.map(({ language }) => (
            <Tabs.Trigger
              key={language}
              value={language}
              className="rounded-control px-2.5 py-1 text-sm text-muted hover:text-text data-[state=active]:bg-hover data-[state=active]:font-medium data-[state=active]:text-text"
            >
              {language}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ language, code }) => (
          <Tabs.Content key={language} value={language}>
            <CopyField label={`${language} program`} value={code} multiline />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Card>
  );
}
