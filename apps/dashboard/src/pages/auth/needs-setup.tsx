import { useQueryClient } from "@tanstack/react-query";
import { installOptions } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { AuthFrame } from "./auth-frame.tsx";

/** Instead of the sign-in form while nobody can sign in. Who may set the install up is whoever reads its console. */
export function NeedsSetup() {
  const client = useQueryClient();
  return (
    <AuthFrame title="Almost there" description="This install has no owner yet. It is set up with a link that only its console shows.">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm marker:text-muted">
        <li>Look at the terminal or the log where Stet was started.</li>
        <li>
          Find the line that begins with <span className="font-medium">Set it up: open</span>. The address in it looks like this:
          <code className="mt-2 block rounded-control bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all text-muted">
            {window.location.origin}/setup/…
          </code>
        </li>
        <li>Open it in this browser. It works until there is an owner.</li>
      </ol>
      <Button onClick={() => void client.invalidateQueries(installOptions)}>I have set it up</Button>
    </AuthFrame>
  );
}
