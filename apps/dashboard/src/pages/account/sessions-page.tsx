import { Page } from "../../ui/page.tsx";

export function SessionsPage() {
  return <Page title="Sessions">{null}</Page>;
}
