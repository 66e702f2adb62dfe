import { Page } from "../../ui/page.tsx";

export function ConnectPage() {
  return <Page title="Connect">{null}</Page>;
}
