import { Tabs } from "radix-ui";
import { CopyButton } from "../../ui/copy-field.tsx";
import { type Snippet, snippetsFor } from "./snippets.ts";

/** The same request in several places; each file with a button that copies it. */
export function SnippetTabs({ apiKey }: { apiKey: string }) {
  const snippets = snippetsFor(window.location.origin, apiKey);
  return (
    <Tabs.Root defaultValue="curl" className="flex flex-col gap-4">
      <Tabs.List aria-label="Where your website is made" className="flex gap-1 overflow-x-auto border-b border-line">
        {snippets.map(({ id, name }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="-mb-px shrink-0 border-b-2 border-transparent px-2.5 py-2 text-sm text-muted -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Content key={snippet.id} value={snippet.id} tabIndex={-1} className="flex flex-col gap-3">
          {snippet.files.map((file) => (
            <CodeFile key={file.name} {...file} />
          ))}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

function CodeFile({ name, code }: Snippet["files"][number]) {
  return (
    <figure className="overflow-hidden rounded-control border border-line bg-sunken">
      <figcaption className="flex items-center justify-between border-b border-line py-0.5 pr-1 pl-3.5 text-xs text-muted">
        {name}
        <CopyButton value={code} label={`Copy: ${name}`} />
      </figcaption>
      {/* It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} className="overflow-x-auto px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed">
        {code}
      </pre>
    </figure>
  );
}
