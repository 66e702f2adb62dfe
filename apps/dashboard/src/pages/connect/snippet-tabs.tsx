import { ChoiceTabs } from "../../ui/choice-tabs.tsx";
import { CopyButton } from "../../ui/copy-field.tsx";
import { type Snippet, snippetsFor } from "./snippets.ts";

/** The same request in several places; each file with a button that copies it. */
export function SnippetTabs({ apiKey }: { apiKey: string }) {
  const snippets = snippetsFor(window.location.origin, apiKey);
  return (
    <ChoiceTabs
      label="Framework"
      choices={snippets.map(({ id, name, files }) => ({
        id,
        name,
        content: files.map((file) => <CodeFile key={file.name} {...file} />),
      }))}
    />
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
