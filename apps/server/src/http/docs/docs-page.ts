import { type Html, html } from "../shared/html.ts";

/** The frame of both pages. Everything it loads is of this origin. */
export function docsPage(options: {
  readonly title: string;
  readonly navigation: Html;
  readonly content: Html;
  readonly key: boolean;
}): string {
  const { title, navigation, content, key } = options;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/style.css" />
        <script type="module" src="/docs/docs.js"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="name" href="/docs"><b>Stet</b> <span>delivery API</span></a>
          ${key ? toolbar() : null}
        </header>
        <div class="frame">
          <nav aria-label="Contents">
            <details open>
              <summary>Contents</summary>
              ${navigation}
            </details>
          </nav>
          <main id="content" tabindex="-1">${content}</main>
        </div>
      </body>
    </html>`.text;
}

/** The language of the samples is chosen without a script; the key is asked for only when there is one to use it. */
const toolbar = (): Html =>
  html`<div class="tools">
    <fieldset class="language">
      <legend>Samples in</legend>
      <input type="radio" name="language" id="language-curl" checked /><label for="language-curl">curl</label>
      <input type="radio" name="language" id="language-javascript" /><label for="language-javascript">JavaScript</label>
    </fieldset>
    <p class="key" hidden>
      <label for="key">Your key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="stet_…" aria-describedby="key-note" />
      <span id="key-note" class="note">Stays in this page; never stored.</span>
    </p>
  </div>`;
