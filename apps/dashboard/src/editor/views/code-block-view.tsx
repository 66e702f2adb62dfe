import { NodeViewContent, NodeViewWrapper } from "@tiptap/react";
import type { ReactNodeViewProps } from "@tiptap/react";

const LANGUAGES = [
  ["", "Plain text"],
  ["bash", "Bash"],
  ["c", "C"],
  ["cpp", "C++"],
  ["csharp", "C#"],
  ["css", "CSS"],
  ["diff", "Diff"],
  ["dockerfile", "Dockerfile"],
  ["elixir", "Elixir"],
  ["go", "Go"],
  ["graphql", "GraphQL"],
  ["html", "HTML"],
  ["java", "Java"],
  ["js", "JavaScript"],
  ["json", "JSON"],
  ["jsx", "JSX"],
  ["kotlin", "Kotlin"],
  ["markdown", "Markdown"],
  ["php", "PHP"],
  ["python", "Python"],
  ["ruby", "Ruby"],
  ["rust", "Rust"],
  ["sql", "SQL"],
  ["swift", "Swift"],
  ["toml", "TOML"],
  ["ts", "TypeScript"],
  ["tsx", "TSX"],
  ["xml", "XML"],
  ["yaml", "YAML"],
] as const;

/** Code with the language it is written in. What follows the language in the info string is kept. */
export function CodeBlockView({ node, updateAttributes, editor }: ReactNodeViewProps) {
  const info = String(node.attrs["info"]);
  const [, language = "", rest = ""] = /^(\S*)([\s\S]*)$/.exec(info) ?? [];
  const isListed = LANGUAGES.some(([value]) => value === language);
  return (
    <NodeViewWrapper className="code-block">
      <div className="code-block-bar" contentEditable={false}>
        <select
          aria-label="Language of the code"
          value={language}
          disabled={!editor.isEditable}
          onChange={(event) => updateAttributes({ info: (event.target.value + (event.target.value === "" ? "" : rest)).trim() })}
        >
          {!isListed && <option value={language}>{language}</option>}
          {LANGUAGES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <pre spellCheck={false}>
        <NodeViewContent<"code"> as="code" />
      </pre>
    </NodeViewWrapper>
  );
}
