import { defaultTreeAdapter, parse, parseFragment, serialize } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

/**
 * What must not be in a post's HTML, as a browser's parser reads it: written down a second time, apart from the code's own
 * allow-list, and judged on the parsed tree rather than on the text.
 */
const ELEMENTS = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td colgroup hr div section aside figure figcaption " +
    "details summary a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr input iframe"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  "class dir id lang title href target rel aria-label src alt width height loading decoding start reversed type value align colspan rowspan scope datetime open checked disabled".split(
    " ",
  ),
);
const FRAME_ATTRIBUTES = new Set(["src", "title", "loading", "referrerpolicy", "sandbox", "allow", "allowfullscreen"]);
const FRAME =
  /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]{11}|player\.vimeo\.com\/video\/[0-9]+\?dnt=1|codepen\.io\/[\w-]+\/embed\/\w+\?)/;
const HTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** The faults found, in words; empty when the HTML is harmless. */
export function forbiddenIn(html: string): string[] {
  const once = parseFragment(html);
  // Read, written and read again: what mutates on the way (mXSS) is looked at after it did.
  return [...faultsOf(once), ...faultsOf(parseFragment(serialize(once))), ...faultsOf(bodyOf(html))];
}

function bodyOf(html: string): Node {
  const document = parse(`<!doctype html><body>${html}</body>`);
  const root = document.childNodes.find((node) => node.nodeName === "html") as Element;
  return root.childNodes.find((node) => node.nodeName === "body")!;
}

function faultsOf(root: Node): string[] {
  const faults: string[] = [];
  const waiting = "childNodes" in root ? [...root.childNodes] : [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (defaultTreeAdapter.isElementNode(node)) {
      faults.push(...faultsOfElement(node));
      for (const child of node.childNodes) waiting.push(child);
    } else if (!defaultTreeAdapter.isTextNode(node)) faults.push(`a ${node.nodeName}`);
  }
  return faults;
}

function faultsOfElement({ tagName, namespaceURI, attrs }: Element): string[] {
  if (namespaceURI !== HTML_NAMESPACE) return [`<${tagName}> in ${namespaceURI}`];
  if (!ELEMENTS.has(tagName)) return [`<${tagName}>`];
  const value = (name: string): string | undefined => attrs.find((attribute) => attribute.name === name)?.value;
  const allowed = tagName === "iframe" ? FRAME_ATTRIBUTES : ATTRIBUTES;
  const faults = attrs.filter(({ name }) => !allowed.has(name)).map(({ name }) => `<${tagName} ${name}>`);
  for (const name of ["href", "src"]) {
    const url = value(name);
    if (url !== undefined && !isSafe(url, tagName)) faults.push(`<${tagName} ${name}="${url}">`);
  }
  if (tagName === "iframe" && !(value("sandbox")?.startsWith("allow-scripts") && value("title")))
    faults.push("a frame without sandbox or title");
  if (tagName === "input" && (value("type") !== "checkbox" || value("disabled") === undefined)) faults.push("an input that takes input");
  if (value("target") !== undefined && !value("rel")?.includes("noopener")) faults.push("a new window with an opener");
  const id = value("id");
  if (id !== undefined && !id.startsWith(/^h[1-6]$/.test(tagName) ? "h-" : "user-content-")) faults.push(`<${tagName} id="${id}">`);
  return faults;
}

function isSafe(url: string, tagName: string): boolean {
  if (tagName === "iframe") return FRAME.test(url);
  const protocol = URL.parse(url, "https://blog.example/")?.protocol;
  // What no browser can parse as a URL leads nowhere.
  if (protocol === undefined) return true;
  return (tagName === "a" ? ["https:", "http:", "mailto:", "tel:"] : ["https:", "http:"]).includes(protocol);
}
