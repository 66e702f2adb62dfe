import { Page } from "../../ui/page.tsx";

export function TransferPage() {
  return <Page title="Transfer">{null}</Page>;
}
