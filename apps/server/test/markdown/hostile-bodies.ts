/** Bodies that made some Markdown renderer slow, or overflow its stack. Each takes a size in characters. */
type Body = (size: number) => string;

const repeat =
  (unit: string): Body =>
  (size) =>
    unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

const lines =
  (line: (i: number) => string): Body =>
  (size) => {
    let text = "";
    for (let i = 0; text.length < size; i++) text += `${line(i)}\n`;
    return text.slice(0, size);
  };

const halves =
  (first: string, second: string, middle = ""): Body =>
  (size) =>
    repeat(first)(size / 2) + middle + repeat(second)(size / 2);

const after =
  (start: string, body: Body, end = ""): Body =>
  (size) =>
    start + body(size) + end;

/** Repeated to fill the body. */
const UNITS: readonly string[] = [
  [..."*_[>`<&~|:#=-\\\n\t(wa"],
  [
    "![",
    "[]",
    "](",
    "[a](",
    "[a][",
    "[a]",
    "[[a]",
    "![a",
    "![[",
    "[a\\]",
    "[\\",
    "[a](<b",
    '[a](b "',
    "[a](b)",
    "![a](b)",
    '![a](b "c"){.wide}\n\n',
    '![a](b "',
    "![a](b){.wide",
    "[a]: b\n",
    "[a]: <b> 'c\n",
    "[^",
    "[^a]",
    "[^1]: a\n",
  ],
  [
    "**a ",
    "*a ",
    "_a ",
    "*a **a ",
    "a**b",
    "*a_ ",
    "a*_b_*",
    "***a** b",
    "_a*_ ",
    "*_~`[",
    "**x [*b**c* ",
    "~~a",
    "~~a~~ ",
    "` `",
    "``a`",
    "```\n",
    "~~~\n",
  ],
  [
    "> ",
    "> - ",
    "- > ",
    "- ",
    "* ",
    "1. ",
    "-\n",
    "- a\n  ",
    "- a\n\n\n\n",
    "\n- ",
    "- [x] a\n",
    "- ```\n",
    "- <div>\n",
    "    ",
    "a  \n",
    "\\\n",
    "# a\n",
    "#\n",
    "a\n===\n",
    "a\n",
    "***\n",
  ],
  [
    "<a ",
    "<a>",
    "<a b='",
    "<b>",
    "</b>",
    "<div>",
    "<div>\n\n",
    "<p><b>",
    "<b><i></b>",
    "<!--",
    "<!-- a\n\n",
    "<?",
    "<!A ",
    "<![CDATA[",
    "<table>",
    "<svg>",
    "<style>",
    "<script>",
    "<h1>",
    "<li>",
    "</",
    "</p>",
  ],
  ["&amp;", "&#1;", "&a;", "| a ", "a|b\n-|-\n", "|a|b|\n|-|x|\n", "|a|b|\n|-|-|\n|c|d|\n\n", "|-"],
  [":::note\n", ":::note\na\n:::\n", ":::note[", "::", "::youtube{", "::youtube{id=dQw4w9WgXcQ}\n\n", ":a[b]{c=d}"],
  [
    "www.",
    "www.a.b ",
    "http://",
    "http://a.b ",
    "https://a.b/(",
    "http://a.b)",
    "http://a&",
    "a@b",
    "a@b.c ",
    "a@b.c.",
    "a.",
    "mailto:",
    "<http://a>",
    "<a@b>",
    "<a:",
    "字 ",
    "\0",
    "🎉",
  ],
].flat();

const SHAPES: Readonly<Record<string, Body>> = {
  "a hundred thousand link definitions": lines((i) => `[a${i}]: /b${i}`),
  "as many uses of them": (size) => `${lines((i) => `[a${i}]: /b${i}`)(size / 2)}\n\n${lines((i) => `[a${i}]`)(size / 2)}`,
  "one long definition, used often": (size) => `[a]: /${"b".repeat(size / 2)}\n\n${repeat("[a] ")(size / 2)}`,
  "titles that never end": lines(() => '[a]: /b "'),
  "a hundred thousand footnotes": lines((i) => `a[^${i}]\n\n[^${i}]: note\n`),
  "one footnote, referred to often": after("[^a]: note\n\n", repeat("[^a] ")),
  "footnotes in footnotes": after(
    "[^0]\n\n",
    lines((i) => `[^${i}]: note [^${i + 1}]\n`),
  ),
  "nested footnote definitions": repeat("[^a]: "),
  "a table of one wide row": (size) => {
    const columns = Math.floor(size / 6);
    return ["|a", "|-", "|b"].map((cell) => `${cell.repeat(columns)}|`).join("\n");
  },
  "a wide table with short rows": (size) => {
    const columns = Math.floor(size / 8);
    return `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${repeat("b\n")(size / 2)}`;
  },
  "many tables with short rows": repeat(`${"|a".repeat(100)}|\n${"|-".repeat(100)}|\n${"b\n".repeat(100)}\n`),
  "lists, each deeper than the last": lines((i) => `${" ".repeat(2 * (i % 1_000))}- a`),
  "quotes, each deeper than the last": lines((i) => `${">".repeat(i % 1_000)} a`),
  "deep quotes with lazy lines": after(`${"> ".repeat(90)}a\n`, repeat("b\n")),
  "deep lists with lazy lines": after(`${"- ".repeat(90)}a\n`, repeat("b\n")),
  "deep emphasis": halves("*a _b ", "c_ d* "),
  "deep strong": halves("**a ", "b**"),
  "deep links": halves("[", "a](b)"),
  "deep images": halves("![", "](b)"),
  "deep brackets": halves("[", "]"),
  "deep parentheses in an address": after("[a](", halves("(", ")")),
  "openers of one kind, closers of another": halves("*a ", "b_ "),
  "one opener, many wrong closers": after("a**b", repeat("c* ")),
  "code fences of every length": lines((i) => `${"`".repeat((i % 1_000) + 1)}a`),
  "deep raw elements": halves("<div>", "</div>"),
  "deep raw elements, wrong closers": halves("<div>", "</p>"),
  "raw formatting, each different": lines((i) => `<p><b class=a${i}>`),
  "a tag with a hundred thousand attributes": (size) => `<b ${lines((i) => `a${i}=b`)(size).replaceAll("\n", " ")}>`,
  "headings that collide": lines((i) => `# a-${i}\n# a`),
  "raw ids": lines((i) => `<b id=a${i}>x</b> [x](#a${i})`),
  "callouts with ever fewer colons": lines((i) => `${":".repeat(1_000 - (i % 990))}note`),
  "callouts opened, then closed": halves(":::note\n", ":::\n", "a\n"),
  "a directive with endless attributes": after("::youtube{", repeat("a=b "), "}"),
  "a list, then blank lines": after("- a", repeat("\n"), "b"),
  "a paragraph that ends as a heading": after("", repeat("a\n"), "==="),
  "a long entity": after("&", repeat("a"), ";"),
  "an address of dots": after("http://", repeat("a.")),
  "an address of parentheses": after("http://a.b/", halves("(", ")")),
  "an address of entities": after("http://a.b/", repeat("&a;")),
  "an address that ends in marks": after("http://a.b/", repeat("!")),
  "a long e-mail address": after("", repeat("a"), "@b.c"),
  "joined e-mail addresses": repeat("a@b.c+"),
  "a host of underscores": after("www.", repeat("_.")),
  "a line of spaces": after("a", repeat(" "), "b"),
  "lines of spaces": repeat(`${" ".repeat(1_000)}\n`),
  "a heading of hashes": after("# a ", repeat("# ")),
  "labels of the longest length": repeat(`[${"a".repeat(990)}]`),
};

export const HOSTILE_BODIES: ReadonlyMap<string, Body> = new Map([
  ...UNITS.map((unit) => [JSON.stringify(unit), repeat(unit)] as const),
  ...Object.entries(SHAPES),
]);
