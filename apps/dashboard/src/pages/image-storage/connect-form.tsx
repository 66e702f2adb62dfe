import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/inputs.tsx";
import { TestAndConnect } from "../../ui/test-and-connect.tsx";
import { toast } from "../../ui/toast.tsx";
import { KeyPermissions } from "./key-permissions.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { addressOf, EMPTY_PARTS, NEEDED, type Provider, type StorageParts } from "./storage-address.ts";
import { connectProblem } from "./words.ts";

const PROVIDERS: readonly (readonly [Provider, string])[] = [
  ["s3", "AWS S3 or S3-compatible"],
  ["r2", "Cloudflare R2"],
  ["cloudinary", "Cloudinary"],
];

/** Asks for a bucket or an account and its key, tests them, and connects the storage. Nothing is saved before the test passes. */
export function ConnectForm({
  known,
  usesPublicAddress = false,
  onDone,
  onCancel,
}: {
  /** What is known of the storage whose key is changed. */
  known?: Partial<StorageParts>;
  usesPublicAddress?: boolean;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const { website } = useWebsiteContext();
  const [parts, setParts] = useState<StorageParts>({ ...EMPTY_PARTS, ...known });
  const [isPublicChosen, choosePublic] = useState(usesPublicAddress);
  const test = useAct("test_image_store");
  const connect = useAct("connect_image_store", {
    stale: ["get_image_store"],
    onSuccess: () => {
      toast.ok("Image storage connected.");
      onDone();
    },
  });
  const forget = () => {
    test.reset();
    connect.reset();
  };
  const change = (change: Partial<StorageParts>) => {
    setParts({ ...parts, ...change });
    forget();
  };
  // A key of one provider is none of another, and a region of one is none of another.
  const choose = (provider: Provider) => {
    setParts({ ...EMPTY_PARTS, provider, region: provider === "cloudinary" ? "us" : "" });
    choosePublic(false);
    forget();
  };
  const usePublicAddress = isPublicChosen && (parts.provider === "cloudinary" || parts.publicAddress !== "");
  const input = { websiteId: website.id, address: addressOf(parts), usePublicAddress };
  const isReady = NEEDED[parts.provider].every((name) => parts[name].trim() !== "");
  const failed = test.data && !test.data.passed ? test.data : null;
  const error = connect.error ?? test.error;
  const problem = error ? { message: connectProblem(error) } : failed && { title: failed.problem ?? undefined, message: failed.help ?? "" };
  const isReadPublicly = usePublicAddress || parts.publicAddress !== "";

  return (
    <TestAndConnect
      isReady={isReady}
      testing={test.isPending}
      connecting={connect.isPending}
      passed={
        test.data?.passed && `Images can be written, read, listed and deleted${isReadPublicly ? ", and read at the public address" : ""}.`
      }
      problem={problem}
      onTest={() => test.mutate(input)}
      onConnect={() => connect.mutate(input)}
      onCancel={onCancel}
    >
      {!known && (
        <Field label="Provider">
          {(control) => (
            <Select {...control} value={parts.provider} onChange={(event) => choose(event.target.value as Provider)}>
              {PROVIDERS.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <ProviderFields
        parts={parts}
        change={change}
        usePublicAddress={isPublicChosen}
        setUsePublicAddress={(use) => {
          choosePublic(use);
          forget();
        }}
      />
      <KeyPermissions parts={parts} />
    </TestAndConnect>
  );
}
