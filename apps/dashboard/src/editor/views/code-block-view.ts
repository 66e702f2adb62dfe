import type { NodeViewRenderer } from "@tiptap/core";
import { choice, element, plainView, setAttributes } from "./plain-view.ts";

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

const splitInfo = (info: string): readonly [language: string, rest: string] => {
  const [, language = "", rest = ""] = /^(\S*)([\s\S]*)$/.exec(info) ?? [];
  return [language, rest];
};

/** Code with the language it is written in. What follows the language in the info string is kept. */
export const codeBlockView: NodeViewRenderer = (props) => {
  let info = "";
  const contentDOM = element("code");
  const language = choice(props.editor, "Code language", LANGUAGES, (value) =>
    setAttributes(props, { info: value === "" ? "" : value + splitInfo(info)[1] }),
  );
  const bar = element("div", { class: "code-block-bar", contenteditable: "false" }, language);
  const dom = element("div", { class: "code-block" }, bar, element("pre", { spellcheck: "false" }, contentDOM));
  return plainView(props, {
    dom,
    contentDOM,
    show: (node) => {
      info = String(node.attrs["info"]);
      const [name] = splitInfo(info);
      if (![...language.options].some(({ value }) => value === name)) language.prepend(element("option", { value: name }, name));
      language.value = name;
    },
  });
};
