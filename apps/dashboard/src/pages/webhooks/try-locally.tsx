import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";

/** For people who build a receiver: webhooks are not sent to an address on their own machine. */
export function TryLocally({ websiteId }: { websiteId: string }) {
  const stet = "npm run --silent stet --";
  return (
    <Card
      title="Test on your own machine"
      description="Run these commands in a checkout of Stet. They forward the events of this website to your local program, signed with the secret the command prints."
    >
      <CopyField
        label="Commands"
        value={`${stet} login --url ${window.location.origin}\n${stet} listen --website ${websiteId} --forward http://localhost:3000/hook`}
        multiline
      />
    </Card>
  );
}
