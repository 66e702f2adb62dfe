import { Page } from "../../ui/page.tsx";

export function FieldsPage() {
  return <Page title="Fields">{null}</Page>;
}
