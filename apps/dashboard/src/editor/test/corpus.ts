/** Bodies as people write them, with what makes round trips hard. */
export const POSTS: readonly string[] = [
  `# Moving a blog without losing a reader

Last spring we moved *eleven years* of posts. Here is what **we learned**, in \`no\` particular order; see <https://example.com/moving>
or www.example.org, or write to editors@example.com.

![A removal van, seen from above](/media/van.jpg "The van") and ![](/media/empty.png)

![A removal van](/media/van.jpg 'The "van", \\\\ in *May*'){.wide}

[![](/media/van.jpg "Two
  lines")](/van){.full}

![A van](/media/van.jpg){.wide} with words, and ![a van](/media/van.jpg)\\{.wide}

- ![A van](/media/van.jpg "In a list")
- > ![A van](/media/van.jpg){.full}

## Tables

| Thing | Count | Note |
|:------|------:|:----:|
| Posts | 1 204 | all of \`a\\|b\` |
| Images | 8 377 | *most* <br> of them |
| Nothing |  |

Line one with two spaces  
line two with a backslash\\
line three.

- tight
- list with \`code\`
  - nested
    1. deep
    2. deeper
- end

* loose

* list

  with a second paragraph

      and code in it

1) one
2) two

7. seven
8. eight

- [ ] open
- [x] done **now**
- plain
`,
  `Setext
heading
=======

Another
---
    code that is indented

	code behind a tab
***
A paragraph
lazily continued
> quote
continued lazily

> first
>
> > nested
> > quote
> - list in quote
>   more
>
> \`\`\`js
> fence
> \`\`\`

<div class="box">

*Markdown* inside.

</div>
<!-- a comment -->
Text right after it.

Reference [one], [two][one] and ![img][pic].

[one]: /one "One"
[pic]: <pic with space.png>
  'title'
Text after definitions.
`,
  `A note[^a] and another[^long-label], and the first again[^a].

[^a]: Short.
[^long-label]: Long, with

    a second paragraph

    - and a list

        code in it
[^unused]: Nobody refers to it.

:::note
Plain.
:::

::::warning[Careful, *now*]
A callout with a list:

- a
- b

:::tip
Nested.
:::
::::

:::danger{key=value}
Unclosed nothing.
:::
::youtube[A talk]{id=dQw4w9WgXcQ}
::vimeo{url="https://vimeo.com/123456789"}

::youtube{id=short}

:::unknown
text
:::
`,
  `Emphasis: *a*, _b_, **c**, __d__, ***e***, **_f_**, *g **h** i*, **j *k* l**, ~~m~~, ~~**n**~~, in*tra*word, **"quoted"**word, a*"b"*c.

Escapes: \\*not emphasis\\*, 2 * 3 * 4, snake_case_name, \\_x\\_, \\[not a link\\](x), [brackets], a\\\\b, &amp; &copy; &nbsp; &lt;b&gt;, 1 < 2 > 1, <b>raw</b>, \`\`a \` b\`\`, \` \`\` \`.

1\\. not a list

\\- neither

\\# nor a heading

\\> nor a quote

+ plus
+ list

Links: [a](/a), [b *c*](/b "t"), [d](</d e>), [f](/f(g)), [\`h\`](/h), **[i](/i)**, [j **k**](/j), [![img](/i.png)](/l), <mailto:a@b.example>, https://example.com/a_b_c?d=*e*.

עברית עם **הדגשה** ו־[קישור](/he). العربية 🎉 emoji 👩‍👩‍👧 e\u0301 字体。中文**强调**文字。

A very long line ${"with words ".repeat(200)}end.

| a |
|---|

| only | head |
| ---- | ---- |

Trailing spaces   
`,
  "\n\n\n   \n\t\nStarts with blanks\n\n\n\n\nand has wide gaps\n\n\n",
  "No newline at the end",
  "- a\n\n\n- b\n\n    c\n\n\n\nend\n",
  "```\nnever closed\n\n# not a heading\n",
  "text\n\n```` md\n```\ninner\n```\n````\n\n~~~ a`b`c\ntilde\n~~~\n\nend",
  "- ```\n  code\n  ```\n- > quote\n- # heading\n- | a |\n  | - |\n- ---\n-\n- text\n\n  ::vimeo{id=12345}\n",
  "1. one\n\n   two\n1. three\n   * four\n\n     five\n\nsix\n- seven\n+ eight\n* nine\n",
  "a\n***\nb\n___\nc\n\n- - -\n\nd\n",
  '<p>one</p>\ntwo\n\n<details>\n<summary>S</summary>\n\nthree\n\n</details>\n\nfour <span\nclass="x">five</span>\n',
];
