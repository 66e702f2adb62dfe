import { Page } from "../../ui/page.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";

export function SecurityPage() {
  return (
    <Page title="Password and security" description="How you sign in." narrow>
      <PasswordCard />
      <TwoFactorCard />
      <PasskeysCard />
    </Page>
  );
}
