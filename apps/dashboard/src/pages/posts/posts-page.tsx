import { Page } from "../../ui/page.tsx";

export function PostsPage() {
  return <Page title="Posts">{null}</Page>;
}
