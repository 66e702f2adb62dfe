import { Tabs } from "radix-ui";
import type { ReactNode } from "react";

/** The same for several readers, of whom each looks at one: the first, or `initial`, is shown, the others are a tab away. */
export function ChoiceTabs({
  label,
  initial,
  choices,
}: {
  label: string;
  initial?: string | undefined;
  choices: readonly { readonly id: string; readonly name: string; readonly content: ReactNode }[];
}) {
  return (
    <Tabs.Root defaultValue={initial ?? choices[0]?.id ?? ""} className="flex flex-col gap-4">
      <Tabs.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {choices.map(({ id, name }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="-mb-px shrink-0 border-b-2 border-transparent px-2.5 py-2 text-sm text-muted -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {choices.map(({ id, content }) => (
        <Tabs.Content key={id} value={id} tabIndex={-1} className="flex flex-col gap-4">
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
