import { Page } from "../../ui/page.tsx";

export function DatabasePage() {
  return <Page title="Database">{null}</Page>;
}
