/** The dashboard's colours on one card, by the person's own choice of light or dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --bg: light-dark(oklch(.985 .004 80), oklch(.175 .006 60)); --surface: light-dark(#fff, oklch(.21 .007 60)); --sunken: light-dark(oklch(.963 .006 80), oklch(.145 .005 60));
  --line: light-dark(oklch(.905 .007 80), oklch(.3 .009 60)); --strong: light-dark(oklch(.66 .012 70), oklch(.52 .012 60)); --hover: light-dark(oklch(.95 .007 80), oklch(.265 .009 60));
  --text: light-dark(oklch(.22 .012 60), oklch(.945 .005 80)); --muted: light-dark(oklch(.46 .014 60), oklch(.74 .01 70));
  --primary: light-dark(oklch(.24 .014 60), oklch(.95 .006 80)); --onPrimary: light-dark(oklch(.99 .003 80), oklch(.18 .008 60));
  --accent: light-dark(oklch(.545 .19 33), oklch(.73 .155 38)); --ok: light-dark(oklch(.47 .12 155), oklch(.78 .14 155));
  --warn: light-dark(oklch(.48 .11 70), oklch(.83 .13 85)); --warnSoft: light-dark(oklch(.955 .045 85), oklch(.29 .05 75));
  --danger: light-dark(oklch(.5 .19 25), oklch(.75 .15 22)) }
* { box-sizing: border-box }
html { background: var(--bg) }
body { margin: 0; color: var(--text); font: 400 .9375rem/1.55 ui-sans-serif, system-ui, sans-serif; overflow-wrap: break-word }
main { max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1rem 3rem }
.brand { margin: 0 0 1rem; font: 600 1.25rem/1 ui-serif, Georgia, serif; letter-spacing: -.01em; text-align: center }
.card { padding: clamp(1.25rem, 5vw, 2rem); border: 1px solid var(--line); border-radius: .75rem; background: var(--surface) }
h1 { margin: 0; font: 500 clamp(1.375rem, 5vw, 1.625rem)/1.25 ui-serif, Georgia, serif; letter-spacing: -.01em; text-wrap: balance }
h2 { margin: 1.5rem 0 .5rem; font-size: .9375rem; font-weight: 600 }
p { margin: .5rem 0 0 }
.muted { color: var(--muted) }
.small { font-size: .8125rem }
code { font: .875em ui-monospace, Menlo, monospace }
dl { margin: 1.25rem 0 0; padding: .25rem 1rem; border-radius: .5rem; background: var(--sunken) }
dl div { display: grid; grid-template-columns: 7.5rem 1fr; gap: .25rem 1rem; padding: .625rem 0; border-top: 1px solid var(--line) }
dl div:first-child { border-top: 0 }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0; font-weight: 500 }
.tag { display: inline-block; padding: .0625rem .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .75rem; font-weight: 500; white-space: nowrap }
.tag.ok { color: var(--ok) }
.tag.warn, .note { color: var(--warn) }
.note { margin: 1rem 0 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--warnSoft) }
fieldset { margin: 1.5rem 0 0; padding: 0; border: 0 }
legend { padding: 0; margin: 0 0 .5rem; font-weight: 600 }
.choice { display: flex; gap: .75rem; align-items: flex-start; padding: .6875rem .875rem; border: 1px solid var(--line); cursor: pointer }
.choice + .choice { border-top: 0 }
.choice:first-of-type { border-radius: .5rem .5rem 0 0 }
.choice:last-of-type { border-radius: 0 0 .5rem .5rem }
.choice:only-of-type { border-radius: .5rem }
.choice:hover { background: var(--hover) }
.choice:has(:checked) { background: var(--sunken) }
.choice span { min-width: 0 }
.choice small { display: block; color: var(--muted); font-size: .8125rem }
input[type=radio], input[type=checkbox] { flex: none; width: 1.125rem; height: 1.125rem; margin: .1875rem 0 0; accent-color: var(--accent) }
.rights { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem }
ul { margin: 0; padding: 0; list-style: none; font-size: .875rem }
li { position: relative; padding: .1875rem 0 .1875rem 1.5rem }
li::before { position: absolute; left: 0; font-weight: 600 }
.may li::before { content: "✓"; content: "✓" / ""; color: var(--ok) }
.never li::before { content: "✕"; content: "✕" / ""; color: var(--danger) }
.actions { display: flex; gap: .75rem; margin-top: 1.75rem }
button, .button { flex: 1; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--strong); border-radius: .5rem; background: none; color: inherit; font: inherit; font-weight: 500; text-align: center; text-decoration: none; cursor: pointer }
button:hover { background: var(--hover) }
button.primary { border-color: var(--primary); background: var(--primary); color: var(--onPrimary) }
button.primary:hover { opacity: .9 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
label.field { display: block; margin-top: 1.25rem; font-weight: 600 }
input[type=text] { display: block; width: 100%; margin-top: .375rem; padding: .625rem .75rem; border: 1px solid var(--strong); border-radius: .5rem; background: var(--surface); color: inherit; font: 500 1.25rem/1.4 ui-monospace, Menlo, monospace; letter-spacing: .08em; text-transform: uppercase }
.code { margin: 1rem 0 0; font: 600 1.5rem/1.3 ui-monospace, Menlo, monospace; letter-spacing: .1em; text-align: center }
@media (max-width: 30rem) { .rights { grid-template-columns: 1fr } .rights > * + * h2 { margin-top: 1rem } dl div { grid-template-columns: 1fr; gap: 0 } .actions { flex-direction: column-reverse } }
`;
