import { Page } from "../../ui/page.tsx";

export function ConnectedAppsPage() {
  return <Page title="Connected Apps">{null}</Page>;
}
