import { Page } from "../../ui/page.tsx";

export function ForgotPasswordPage() {
  return <Page title="Forgot Password">{null}</Page>;
}
