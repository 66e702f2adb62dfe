import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";

/** For whoever builds the receiver: an address on one's own machine is none that webhooks are sent to. */
export function TryLocally({ websiteId }: { websiteId: string }) {
  const stet = "npm run --silent stet --";
  return (
    <Card
      title="Try it on your own machine"
      description="In a copy of Stet: sign in once, then every event of this website comes to a program of yours, signed as a webhook is, with the secret that the command shows."
    >
      <CopyField
        label="Commands"
        value={`${stet} login --url ${window.location.origin}\n${stet} listen --website ${websiteId} --forward http://localhost:3000/hook`}
        multiline
      />
    </Card>
  );
}
