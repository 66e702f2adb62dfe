import { Page } from "../../ui/page.tsx";

export function ResetPasswordPage() {
  return <Page title="Reset Password">{null}</Page>;
}
