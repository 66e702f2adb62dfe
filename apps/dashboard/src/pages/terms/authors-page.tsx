import { Page } from "../../ui/page.tsx";

export function AuthorsPage() {
  return <Page title="Authors">{null}</Page>;
}
