import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Textarea } from "../../ui/inputs.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { TestAndConnect } from "../../ui/test-and-connect.tsx";
import { toast } from "../../ui/toast.tsx";
import { connectProblem, createUserCommand, failedTest } from "./words.ts";

/** Asks for the address of a database, tests it, and connects it. Nothing is saved before the test passes. */
export function ConnectForm({
  outgoingAddresses,
  onDone,
  onCancel,
}: {
  outgoingAddresses: readonly string[];
  onDone: () => void;
  onCancel?: () => void;
}) {
  const { website } = useWebsiteContext();
  const [url, setUrl] = useState("");
  const [ca, setCa] = useState("");
  const test = useAct("test_own_database");
  const connect = useAct("connect_own_database", {
    stale: ["get_own_database", "check_own_database"],
    onSuccess: () => {
      toast.ok("Database connected.");
      onDone();
    },
  });
  const forget = () => {
    test.reset();
    connect.reset();
  };
  const input = { websiteId: website.id, url: url.trim(), ca: ca.trim() === "" ? null : ca };
  const report = test.data?.report;
  const error = connect.error ?? test.error;
  const problem = error ? connectProblem(error) : report && !report.passed ? failedTest(report) : null;

  return (
    <TestAndConnect
      isReady={url.trim() !== ""}
      testing={test.isPending}
      connecting={connect.isPending}
      passed={
        report?.passed &&
        `The database answers in ${report.latencyMillis} ms and can be written and read.${report.readOnly === null ? "" : ` ${report.readOnly}`}`
      }
      problem={problem}
      onTest={() => test.mutate(input)}
      onConnect={() => connect.mutate(input)}
      onCancel={onCancel}
    >
      <Field label="Address" help="With user name, password and database. Stored encrypted and never shown again.">
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            required
            maxLength={2_000}
            placeholder="mongodb+srv://USER:PASSWORD@HOST/DATABASE"
            value={url}
            onChange={(event) => {
              setUrl(event.target.value);
              forget();
            }}
          />
        )}
      </Field>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">More options</summary>
        <Field
          label="Certificate authority"
          optional
          help="In PEM format, if the server’s certificate is not from a public authority."
          className="mt-3"
        >
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              spellCheck={false}
              placeholder="-----BEGIN CERTIFICATE-----"
              className="font-mono"
              value={ca}
              onChange={(event) => {
                setCa(event.target.value);
                forget();
              }}
            />
          )}
        </Field>
      </details>
      <WhatItNeeds url={url} />
      <AddressesToAllow addresses={outgoingAddresses} isOpen={problem?.step === "tcp"} />
    </TestAndConnect>
  );
}

const WhatItNeeds = ({ url }: { url: string }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">What the database needs</summary>
    <div className="mt-3 flex flex-col gap-2 text-muted">
      <p>
        It is reached over TLS. It needs a database of its own for this website, and a user for Stet with the role{" "}
        <strong>readWrite</strong> on it and nothing else:
      </p>
      <CopyField label="command" multiline value={createUserCommand(url)} />
    </div>
  </details>
);

/** For databases that accept known addresses only. It opens where the database could not be reached, as that is the most likely reason. */
const AddressesToAllow = ({ addresses, isOpen }: { addresses: readonly string[]; isOpen: boolean }) => (
  <details key={String(isOpen)} open={isOpen} className="text-sm">
    <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">Addresses to allow</summary>
    <div className="mt-3 flex flex-col gap-2 text-muted">
      {addresses.length > 0 ? (
        <>
          <p>If your database only accepts known IP addresses, allow {addresses.length === 1 ? "this one" : "these"}:</p>
          <CopyField label="addresses" multiline value={addresses.join("\n")} />
        </>
      ) : (
        <p>
          If your database only accepts known IP addresses, allow the public address of this server. Its operator finds it in the network
          settings of the machine or its host, and can show it here with the setting <code>STET_OUTGOING_ADDRESSES</code>.
        </p>
      )}
    </div>
  </details>
);
