import fc from "fast-check";

/** Random characters seldom form anything; random pieces of Markdown do. */
const PIECES =
  'a|b c|word|\n|\n|\n\n|\n\n| |  |    |\t|# |## |- |* |+ |1. |2) |> |- [ ] |- [x] |**|*|_|__|~~|`|``|```|```js|~~~|[a](/u)|[|](|)|]|![|![i](/i.png)|![i](/i.png "A cap")|![i](/i "|")|{.wide}|{.full}|[r]|[r]: /r|[^n]|[^n]: |:::note|:::tip[T]|:::|::vimeo{id=12345}|\\|&|&amp;|<br>|<b>|</b>|<div>|</div>|<!-- x -->|https://a.example/x|www.a.example|a@b.example|x|---|===|***|| a | b |||-|-|||:-:||!|.|,|(|)|字|é|🎉|\'|"|::'.split(
    "|",
  );

export const anyMarkdown = fc
  .array(fc.constantFrom(...PIECES, "|", "| a | b |\n| - | :-: |\n| c | d |\n"), { maxLength: 30 })
  .map((pieces) => pieces.join(""));
