export interface Snippet {
  readonly id: string;
  readonly name: string;
  /** The files to create, in order. */
  readonly files: readonly { readonly name: string; readonly code: string }[];
}

/** Code with which a website reads its posts, ready to paste. */
export function snippetsFor(origin: string, key: string): readonly Snippet[] {
  const address = `${origin}/v1/blog/posts?limit=10`;
  const env = `STET_KEY=${key}`;
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
        { name: ".env.local", code: env },
        {
          name: "app/blog/page.tsx",
          code: `export default async function Blog() {
  const response = await fetch("${address}", {
    headers: { Authorization: \`Bearer \${process.env.STET_KEY}\` },
    next: { revalidate: 60 },
  });
  const { data: posts } = await response.json();
  return (
    <ul>
      {posts.map((post: { id: string; title: string }) => (
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
        { name: ".env", code: env },
        {
          name: "src/pages/blog.astro",
          code: `---
const response = await fetch("${address}", {
  headers: { Authorization: \`Bearer \${import.meta.env.STET_KEY}\` },
});
const { data: posts } = await response.json();
---
<ul>
  {posts.map((post) => <li>{post.title}</li>)}
</ul>`,
        },
      ],
    },
    {
      id: "fetch",
      name: "fetch",
      files: [
        {
          name: "Any JavaScript",
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
