import type { OpenapiDocument } from "@stet/contract";
import { codeBlock } from "./code.ts";
import { type Html, html } from "../shared/html.ts";

export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** The rules of every address, shown before the addresses. */
export function guide(document: OpenapiDocument): readonly Chapter[] {
  const base = document.servers[0]!.url;
  return [
    {
      id: "start",
      title: "Start",
      body: html`<p>
          Everything is plain HTTP under <code>${base}</code>. Create a key in <a href="/">the dashboard</a>, under Website settings, API
          keys, and send it with every request:
        </p>
        ${codeBlock("curl", `curl "${base}/blog/posts?limit=5" \\\n  -H "Authorization: Bearer $STET_KEY"`, "in-curl")}
        ${codeBlock(
          "JavaScript",
          `const response = await fetch("${base}/blog/posts?limit=5", {\n  headers: { Authorization: \`Bearer \${key}\` },\n});\nconst { data, pagination } = await response.json();`,
          "in-javascript",
        )}
        <p>
          A key can only read the published posts of one website. You can use it in a browser: add your domains as its allowed origins, and
          pages elsewhere cannot use it.
        </p>`,
    },
    {
      id: "shapes",
      title: "Shapes",
      body: html`<ul>
        <li>A single resource is <code>{data}</code>. A list is <code>{data, pagination}</code>.</li>
        <li>Times are UTC, ISO 8601 with milliseconds. Ids start with their type (<code>post_…</code>) and never change.</li>
        <li>
          Where a route takes a slug, it also takes the id. A former slug works too; the answer then has <code>slugRedirectedFrom</code>.
        </li>
        <li>HEAD works wherever GET does. Unknown parameters are refused, so typos do not go unnoticed.</li>
        <li>This version only ever adds: ignore fields you do not know.</li>
      </ul>`,
    },
    {
      id: "paging",
      title: "Paging",
      body: html`<p>
          Lists use cursors: send <code>pagination.nextCursor</code> as <code>cursor</code>, with the same <code>sort</code>, until it is
          <code>null</code>. There are no page numbers, so posts that are added or removed while you page cause no repeats and no gaps.
        </p>
        ${codeBlock(
          "JavaScript",
          `let cursor = null;\ndo {\n  const url = new URL("${base}/blog/posts");\n  if (cursor) url.searchParams.set("cursor", cursor);\n  const response = await fetch(url, { headers: { Authorization: \`Bearer \${key}\` } });\n  const { data, pagination } = await response.json();\n  for (const post of data) console.log(post.title);\n  cursor = pagination.nextCursor;\n} while (cursor);`,
        )}`,
    },
    {
      id: "caching",
      title: "Caching",
      body: html`<p>
        Every answer has an <code>ETag</code>. Send it back as <code>If-None-Match</code>: while nothing changed the answer is
        <code>304</code>, without a body, and it is not counted against your month. A published change is visible to the next request.
      </p>`,
    },
    {
      id: "current",
      title: "Staying current",
      body: html`<p>
          A static site or a search index does not have to read everything again. Without <code>since</code>, or when the cursor is too old,
          <a href="#listChanges"><code>/blog/changes</code></a> answers <code>reset: true</code>: read all posts, then keep
          <code>cursor</code> and send it as <code>since</code> the next time.
        </p>
        ${codeBlock(
          "JavaScript",
          `const url = new URL("${base}/blog/changes");\nif (kept) url.searchParams.set("since", kept);\nconst response = await fetch(url, { headers: { Authorization: \`Bearer \${key}\` } });\nconst { data, cursor, reset, pagination } = await response.json();\nif (reset) await readEverything();\nfor (const { type, postId, slug, previousSlug } of data) {\n  if (previousSlug) redirect(previousSlug, slug);\n  if (type === "removed") remove(slug);\n  else await readPost(postId);\n}\nkept = cursor; // once all of that is done; ask again at once if pagination.hasNext`,
        )}`,
    },
    {
      id: "limits",
      title: "Limits",
      body: html`<p>
        <code>RateLimit-Policy</code> and <code>RateLimit</code> are on every answer, so a client can slow down before it is refused:
        <code>r</code> is what is left, <code>t</code> the seconds until the limit is full again. <code>burst</code> is the website's
        bucket, <code>month</code> the workspace's requests this month. After a <code>429</code>, wait for <code>Retry-After</code> seconds.
      </p>`,
    },
    {
      id: "errors",
      title: "Errors",
      body: html`<p>
        Errors are <code>application/problem+json</code> (RFC 9457). Program against <code>code</code>; <code>detail</code> tells people
        what to do next; include <code>requestId</code> when you report an error. <a href="/docs/errors">All codes and what they mean.</a>
      </p>`,
    },
  ];
}
