import { Page } from "../../ui/page.tsx";

export function TagsPage() {
  return <Page title="Tags">{null}</Page>;
}
