import fc from "fast-check";
import { expect, test } from "vitest";
import { type PostContent, readPostFile, setKeys, writePostFile } from "../src/posts/post-file.ts";

const ID = `post_${"0".repeat(26)}`;
const CONTENT: PostContent = {
  title: "Hello: a # start",
  slug: "hello",
  excerpt: "",
  categories: ["News", "Art, and craft", "2026", "true"],
  tags: [],
  authors: ["Ada O'Hara"],
  featured: false,
  coverImage: null,
  coverAlt: "null",
  seo: { title: null, description: "a", canonicalUrl: null, ogImageUrl: null, noindex: false },
  fields: { mood: "calm", rating: 4.5, day: "2026-11-15", done: true, none: null, extra: { a: [1, { b: "x" }] }, "a b": ["x", 1] },
  body: "# Not a title\n\n---\n\ntext",
};

test("the file of a post reads as people would write it", () => {
  expect(writePostFile({ id: ID, version: 3 }, CONTENT)).toBe(`---
id: ${ID}
version: 3
title: "Hello: a # start"
slug: hello
excerpt: ""
categories: [News, "Art, and craft", "2026", "true"]
tags: []
authors: ["Ada O'Hara"]
featured: false
coverImage: null
coverAlt: "null"
seo:
  title: null
  description: a
  canonicalUrl: null
  ogImageUrl: null
  noindex: false
fields:
  mood: calm
  rating: 4.5
  day: "2026-11-15"
  done: true
  none: null
  extra: {"a":[1,{"b":"x"}]}
  "a b": ["x",1]
---

# Not a title

---

text
`);
});

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\n", "\r\n", "---", "\n---\n", "- a", "a: b", " #", "~", "\ufeff", "\u2028", "yes"),
);
const body = fc.array(text).map((parts) => parts.join(""));

test("whatever a post holds is read from its file exactly as it was written to it, also with the line ends of Windows", () => {
  const any = fc.record({
    title: text,
    excerpt: text,
    tags: fc.array(text),
    coverAlt: fc.option(text),
    fields: fc.dictionary(
      fc.stringMatching(/^[a-z]\w*$/),
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
    ),
    body,
  });
  fc.assert(
    fc.property(any, (some) => {
      const content = { ...CONTENT, ...some, fields: { always: 1, ...some.fields } } as PostContent;
      const file = writePostFile({ id: ID, version: 3 }, content);
      const read = readPostFile(file);
      // -0 is 0 in JSON, also on its way to the server.
      expect(read.post).toEqual({ id: ID, version: 3 });
      expect(JSON.stringify(read.content)).toBe(JSON.stringify({ body: content.body, ...ordered(content) }));
      if (!content.body.includes("\r")) expect(readPostFile(file.replaceAll("\n", "\r\n"))).toEqual(read);
    }),
  );
});
const ordered = ({ body: _, ...rest }: PostContent) => rest;

test("what people write by hand is understood: comments, quotes, lists with dashes, keys left out", () => {
  const { post, content } = readPostFile(`---
# a comment
title: It's 2026 – "really"
tags:
  - one
  - 'it''s'
  - "a: b"
authors: [Ada, 'O''Hara',]
slug: 2026
categories:
fields:

  # another
  day: 2026-11-15
  count: 12
seo: {"noindex": true}
---
Right here`);
  expect(post).toBeNull();
  expect(content).toEqual({
    title: `It's 2026 – "really"`,
    tags: ["one", "it's", "a: b"],
    authors: ["Ada", "O'Hara"],
    slug: "2026",
    categories: [],
    fields: { day: "2026-11-15", count: 12 },
    seo: { noindex: true },
    body: "Right here",
  });
});

test.each([
  ["title: a\n", "must start with front matter"],
  ["---\ntitle: a\n", "must start with front matter"],
  ["---\ntitle: a\ndate: 2026-01-01\n---\n", "line 3: date is not known here. Known: id, version, title"],
  ["---\ntitle: a\ntitle: b\n---\n", "line 3: title is written twice"],
  ["---\ntitle: a: b\n---\n", 'line 2: it has ": "'],
  ["---\ntitle: a # b\n---\n", "put it in double quotes"],
  ["---\ntitle: |\n  a\n---\n", "line 2: write it in one line"],
  ["---\ntitle: *a\n---\n", "line 2: write it in one line"],
  ['---\ntitle: "a\n---\n', "line 2: the quotes do not close"],
  ["---\ntitle: 'a' b\n---\n", "line 2: the quote is not closed"],
  ["---\ntitle:\n---\n", 'line 2: title must be text; write "" for none'],
  ["---\ntags: one\n---\n", "line 2: tags must be a list of texts, such as [News, Travel]"],
  ["---\ntags: [a, [b]]\n---\n", "line 2: "],
  ["---\ntags: [a\n---\n", "line 2: the list has no ]"],
  ["---\nfeatured: yes\n---\n", "line 2: featured must be true or false"],
  ["---\nseo:\n  keywords: a\n---\n", "seo.keywords is not known here"],
  ["---\nseo:\n  noindex: a\n---\n", "seo.noindex must be true or false"],
  ["---\nfields:\n\tmood: a\n---\n", "line 3: it is indented with a tab"],
  ["---\nfields:\n  mood: a\n   x: b\n---\n", "line 4: it is indented otherwise"],
  ["---\n  title: a\n---\n", 'line 2: expected "key: value"'],
  ["---\nid: post_1\nversion: 1\n---\n", "line 2: id must be the id of a post"],
  [`---\nid: ${ID}\n---\n`, "id and version belong together"],
  [`---\nid: ${ID}\nversion: 1.5\n---\n`, "line 3: version must be a number"],
])("%j is refused, and the line is named", (file, message) => {
  expect(() => readPostFile(file)).toThrow(message);
});

test("a saved version goes into its line, and every other byte stays, with the ends that the file has", () => {
  const values = { id: ID, version: 9, slug: "other" };
  for (const end of ["\n", "\r\n"]) {
    const file = `---\n# mine\nslug: "a"\nversion: 3\nid: ${ID}\nfields:\n  id: 5\n---\n\nversion: 3\n`.replaceAll("\n", end);
    expect(setKeys(file, values)).toBe(file.replace("version: 3", "version: 9").replace('slug: "a"', "slug: other"));
    expect(setKeys(`---${end}title: a${end}---`, values)).toBe(`---${end}id: ${ID}${end}version: 9${end}title: a${end}---`);
  }
});
