import { useQueryClient } from "@tanstack/react-query";
import { installOptions } from "../../api/session.ts";
import { AuthFrame } from "../../shell/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";

/** Replaces the sign-in form while nobody can sign in. The person who reads the server's console can set it up. */
export function NeedsSetup() {
  const client = useQueryClient();
  return (
    <AuthFrame title="Almost there" description="Stet has no owner yet. Set it up with the link shown in its console.">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm marker:text-muted">
        <li>Go to the terminal or log where Stet was started.</li>
        <li>
          Find the line that starts with <span className="font-medium">Set it up: open</span>. The address in it looks like this:
          <code className="mt-2 block rounded-control bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all text-muted">
            {window.location.origin}/setup/…
          </code>
        </li>
        <li>Open it in this browser. The link works until Stet has an owner.</li>
      </ol>
      <Button onClick={() => void client.invalidateQueries(installOptions)}>I have set it up</Button>
    </AuthFrame>
  );
}
