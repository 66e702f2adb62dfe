import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { defineConfig } from "astro/config";

if (existsSync(".env")) process.loadEnvFile(".env");
const { readRedirects, readTermRedirects } = await import("./src/lib/stet.ts");

export default defineConfig({
  // `/blog/my-post`, as the public address of a post is, without a slash at the end.
  trailingSlash: "never",
  // The style sheet is small: in the page it costs no request.
  build: { format: "file", inlineStylesheets: "always" },
  devToolbar: { enabled: false },
  integrations: [
    {
      name: "redirects",
      hooks: {
        /** For hosts that read `_redirects` (Netlify, Cloudflare Pages); for others each old address has a page that leads on. */
        "astro:build:done": async ({ dir }) => {
          const posts = (await readRedirects()).map(({ from, to }) => `/blog/${from} /blog/${to} 301\n`);
          const terms = (await readTermRedirects()).map(({ kind, from, to }) => `/${kind}/${from} /${kind}/${to} 301\n`);
          await writeFile(new URL("_redirects", dir), [...posts, ...terms].join(""));
        },
      },
    },
  ],
});
