import { readFeeds } from "../../lib/stet.ts";

export async function getStaticPaths() {
  return (await readFeeds()).map(({ file, text }) => ({ params: { file }, props: { text } }));
}

export const GET = ({ props }: { props: { text: string } }): Response => new Response(props.text);
