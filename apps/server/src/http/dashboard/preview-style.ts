/** Quiet typography for one column of text, by the reader's own choice of light or dark. */
export const PREVIEW_STYLE = `
:root { color-scheme: light dark; --text: #1c1b19; --soft: #6b675f; --paper: #fffefb; --line: #e5e1d8; --mark: #fff4d6; --markText: #6b4e00; --link: #1f5f8b }
@media (prefers-color-scheme: dark) { :root { --text: #ece8df; --soft: #a39d91; --paper: #161513; --line: #35322c; --mark: #3a3016; --markText: #f4d98b; --link: #8cc4ec } }
* { box-sizing: border-box }
body { margin: 0; overflow-x: clip; background: var(--paper); color: var(--text); font: clamp(1.0625rem, .95rem + .5vw, 1.1875rem)/1.7 ui-serif, Charter, Georgia, serif; overflow-wrap: break-word }
.banner { position: sticky; top: 0; padding: .6rem 1rem; background: var(--mark); color: var(--markText); font: 500 .875rem/1.4 system-ui, sans-serif; text-align: center; text-wrap: balance }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem 6rem }
h1 { margin: 0 0 1rem; font-size: clamp(2rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -.015em; text-wrap: balance }
.lead { margin: 0 0 1.25rem; color: var(--soft); font-size: 1.12em; line-height: 1.5 }
.by { margin: 0 0 2.5rem; color: var(--soft); font: .9375rem/1.5 system-ui, sans-serif }
h2, h3, h4 { margin: 2.5rem 0 .75rem; line-height: 1.25; text-wrap: balance }
p, ul, ol, blockquote, pre, table, figure { margin: 0 0 1.25rem }
h1, h2, h3, h4, h5, h6, p, li, th, td { unicode-bidi: plaintext }
.task-list-item { list-style: none } .task-list-item input { margin: 0 .5rem 0 -1.35rem }
a { color: var(--link); text-underline-offset: .15em }
img { display: block; max-width: 100%; height: auto; margin: 2rem auto; border-radius: .375rem }
figure img { margin: 0 auto } figure { margin: 2rem 0 }
figcaption { margin-top: .6rem; color: var(--soft); font: .875rem/1.5 system-ui, sans-serif; text-align: center; text-wrap: balance }
article > .stet-figure-wide, article > .stet-figure-full { width: min(75rem, 100vw - 2.5rem); margin-inline: calc(50% - min(37.5rem, 50vw - 1.25rem)) }
article > .stet-figure-full { width: 100vw; margin-inline: calc(50% - 50vw) } .stet-figure-full img { border-radius: 0 }
.stet-figure-wide img, .stet-figure-full img { width: 100% }
.cover { margin: 0 0 2.5rem; width: 100% }
blockquote { padding-left: 1.25rem; border-left: 3px solid var(--line); color: var(--soft) }
.callout { margin: 0 0 1.25rem; padding: 1rem 1.25rem; border-left: 3px solid var(--soft); border-radius: .375rem; background: color-mix(in srgb, var(--text) 5%, transparent) }
.callout > :last-child { margin-bottom: 0 }
.callout-title { margin-bottom: .25rem; font-weight: 600 }
.callout-tip { border-left-color: #2e7d4f } .callout-info { border-left-color: #2f74b5 } .callout-warning { border-left-color: #b7791f } .callout-danger { border-left-color: #c0392b }
.footnotes { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9375em }
code, pre { font: .875em/1.6 ui-monospace, Menlo, monospace }
pre { padding: 1rem; overflow: auto; border: 1px solid var(--line); border-radius: .375rem }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: 1rem }
th, td { padding: .4rem .75rem; border: 1px solid var(--line) }
th:not([align]), td:not([align]) { text-align: start }
hr { margin: 2.5rem 0; border: 0; border-top: 1px solid var(--line) }
.player { display: grid; place-items: center; margin: 0 0 1.25rem; aspect-ratio: 16 / 9; border: 1px solid var(--line); border-radius: .375rem }
.ended { text-align: center; padding-top: 20vh }
`;
