export interface Snippet {
  readonly id: string;
  readonly name: string;
  /** The files to create, in order. */
  readonly files: readonly { readonly name: string; readonly code: string }[];
}

/** Code with which a website reads its posts, ready to paste: with the client library, or with nothing but HTTP. */
export function snippetsFor(origin: string, key: string): readonly Snippet[] {
  const address = `${origin}/v1/blog/posts?limit=10`;
  const install = { name: "In a terminal", code: "npm install @stet/client" };
  const env = { name: ".env", code: `STET_URL=${origin}\nSTET_KEY=${key}` };
  return [
    {
      id: "curl",
      name: "curl",
      files: [{ name: "In a terminal", code: `curl "${address}" \\\n  -H "Authorization: Bearer ${key}"` }],
    },
    {
      id: "next",
      name: "Next.js",
      files: [
        install,
        env,
        {
          name: "app/blog/page.tsx",
          code: `import { createClient } from "@stet/client";

const stet = createClient({ url: process.env.STET_URL!, apiKey: process.env.STET_KEY! });
export const revalidate = 60;

export default async function Blog() {
  const { items } = await stet.posts.list({ limit: 10 });
  return (
    <ul>
      {items.map((post) => (
        <li key={post.id}>{post.title}</li>
      ))}
    </ul>
  );
}`,
        },
      ],
    },
    {
      id: "astro",
      name: "Astro",
      files: [
        install,
        env,
        {
          name: "src/pages/blog.astro",
          code: `---
import { createClient } from "@stet/client";

const { STET_URL, STET_KEY } = import.meta.env;
const stet = createClient({ url: STET_URL, apiKey: STET_KEY });
const { items } = await stet.posts.list({ limit: 10 });
---
<ul>
  {items.map((post) => <li>{post.title}</li>)}
</ul>`,
        },
      ],
    },
    {
      id: "javascript",
      name: "JavaScript",
      files: [
        install,
        {
          name: "Any JavaScript",
          code: `import { createClient } from "@stet/client";

const stet = createClient({ url: "${origin}", apiKey: "${key}" });
const { items } = await stet.posts.list({ limit: 10 });
const post = await stet.posts.findBySlug("my-post"); // null when there is none`,
        },
      ],
    },
    {
      id: "fetch",
      name: "fetch",
      files: [
        {
          name: "Any JavaScript, without a library",
          code: `const response = await fetch("${address}", {
  headers: { Authorization: "Bearer ${key}" },
});
if (!response.ok) throw new Error((await response.json()).detail);
const { data: posts, pagination } = await response.json();`,
        },
      ],
    },
  ];
}
