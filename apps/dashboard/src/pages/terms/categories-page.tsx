import { Page } from "../../ui/page.tsx";

export function CategoriesPage() {
  return <Page title="Categories">{null}</Page>;
}
