import { POST_SORTS, VIEW_PERIODS } from "@stet/contract";
import type { Answer, Ask } from "./request.ts";

type Get = (path: string, ask?: Ask) => Promise<Answer>;

const TERMS = { category: "categories", tag: "tags", author: "authors" } as const;

/**
 * Everything a key can read of a website, by address: each list in every order and page, each thing that is named, each text,
 * with HEAD and Markdown. `names` are further ids and slugs to try everywhere, `words` are searched for; changes are read from the
 * cursor `since`.
 */
export async function readEverything(
  get: Get,
  options: { since: string; names?: readonly string[]; words?: readonly string[]; pageSize?: number },
): Promise<Map<string, Answer>> {
  const { names = [], words = [], pageSize = 5 } = options;
  const answers = new Map<string, Answer>();
  const take = async (path: string, ask?: Ask, note = ""): Promise<Answer> => {
    const answer = await get(path, ask);
    answers.set(path + note, answer);
    return answer;
  };
  const walk = async (path: string): Promise<Record<string, string>[]> => {
    const items: Record<string, string>[] = [];
    for (let next: string | null = path; next !== null;) {
      const { data, pagination }: { data: typeof items; pagination: { nextCursor: string | null } } = (await take(next)).json;
      items.push(...data);
      next = pagination.nextCursor && `${path}&cursor=${pagination.nextCursor}`;
    }
    return items;
  };

  for (const sort of POST_SORTS) await walk(`/blog/posts?limit=${pageSize}&sort=${sort}`);
  for (const featured of [true, false]) await walk(`/blog/posts?limit=${pageSize}&sort=title&featured=${featured}`);
  const posts = await walk("/blog/posts?limit=100");
  for (const name of new Set([...posts.flatMap((post) => [post["id"]!, post["slug"]!]), ...names])) {
    await take(`/blog/posts/${name}`);
    await take(`/blog/posts/${name}`, { method: "HEAD" }, " HEAD");
    await take(`/blog/posts/${name}`, { headers: { Accept: "text/markdown" } }, " Markdown");
    for (const format of ["html", "markdown"]) await take(`/blog/posts/${name}?format=${format}`);
    await take(`/blog/posts/${name}/views`);
  }
  for (const [kind, plural] of Object.entries(TERMS)) {
    const terms = await walk(`/blog/${plural}?limit=2`);
    for (const name of new Set([...terms.flatMap((term) => [term["id"]!, term["slug"]!]), ...names])) {
      await take(`/blog/${plural}/${name}`);
      await walk(`/blog/posts?limit=${pageSize}&sort=-title&${kind}=${name}`);
    }
  }
  const images = await walk("/blog/media?limit=2");
  for (const id of new Set([...images.map((image) => image["id"]!), ...names])) await take(`/blog/media/${id}`);
  for (const file of ["feed.xml?limit=100", "feed.json?limit=100", "sitemap.xml", "llms.txt"]) await take(`/blog/${file}`);
  await walk("/blog/redirects?limit=1");
  await take("/blog/website");
  let since: string | null = options.since;
  while (since !== null) since = (await take(`/blog/changes?limit=100&since=${since}`)).json.pagination.nextCursor;
  for (const period of VIEW_PERIODS) await walk(`/blog/views?limit=${pageSize}&period=${period}`);
  for (const word of words) await walk(`/blog/search?limit=${pageSize}&q=${encodeURIComponent(word)}`);
  return answers;
}
