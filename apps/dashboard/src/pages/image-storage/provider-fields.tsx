import { Field } from "../../ui/field.tsx";
import { Input, Select, SwitchField } from "../../ui/inputs.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import type { StorageParts } from "./storage-address.ts";

export interface FieldsProps {
  readonly parts: StorageParts;
  change(change: Partial<StorageParts>): void;
  /** Whether readers get images from the storage itself. */
  readonly usePublicAddress: boolean;
  setUsePublicAddress(use: boolean): void;
}

/** The fields of one provider, named as the provider names them. */
export function ProviderFields(props: FieldsProps) {
  if (props.parts.provider === "cloudinary") return <CloudinaryFields {...props} />;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {props.parts.provider === "r2" ? <R2Place {...props} /> : <S3Place {...props} />}
        <TextField {...props} name="keyId" label="Access key ID" />
        <SecretField {...props} label="Secret access key" />
      </div>
      <MoreOptions {...props} />
    </>
  );
}

const S3Place = (props: FieldsProps) => (
  <>
    <TextField {...props} name="host" label="Endpoint" help="For example s3.eu-central-1.amazonaws.com" className="sm:col-span-2" />
    <TextField {...props} name="bucket" label="Bucket" />
    <TextField {...props} name="region" label="Region" optional help="Needed where the endpoint does not name it" />
  </>
);

const R2Place = (props: FieldsProps) => (
  <>
    <TextField {...props} name="account" label="Account ID" help="In Cloudflare on the R2 overview" className="sm:col-span-2" />
    <TextField {...props} name="bucket" label="Bucket" />
    <ChoiceField
      {...props}
      name="jurisdiction"
      label="Jurisdiction"
      choices={[
        ["", "None"],
        ["eu", "European Union"],
        ["fedramp", "FedRAMP"],
      ]}
    />
  </>
);

function CloudinaryFields(props: FieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...props} name="cloud" label="Cloud name" />
        <ChoiceField
          {...props}
          name="region"
          label="Region of the account"
          choices={[
            ["us", "United States"],
            ["eu", "Europe"],
            ["ap", "Asia Pacific"],
          ]}
        />
        <TextField {...props} name="keyId" label="API key" />
        <SecretField {...props} label="API secret" />
      </div>
      <SwitchField
        label="Deliver images from Cloudinary"
        help="Once all images are in Cloudinary, the API returns Cloudinary addresses and Cloudinary creates the smaller versions. For images with a crop, rotation or focal point, Stet still creates them."
        checked={props.usePublicAddress}
        onCheckedChange={props.setUsePublicAddress}
      />
    </>
  );
}

function MoreOptions(props: FieldsProps) {
  const { parts, usePublicAddress, setUsePublicAddress } = props;
  return (
    <details className="group text-sm">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">More options</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {parts.provider === "s3" && (
          <ChoiceField
            {...props}
            name="style"
            label="Bucket address format"
            choices={[
              ["", "Provider default"],
              ["path", "endpoint/bucket"],
              ["host", "bucket.endpoint"],
            ]}
          />
        )}
        <TextField {...props} name="token" label="Session token" optional />
        <TextField
          {...props}
          name="publicAddress"
          label="Public address"
          optional
          type="url"
          placeholder="https://images.example.com"
          help="Where everyone can read the files of the bucket. Without it, images come from Stet."
          className="sm:col-span-2"
        />
        {parts.publicAddress !== "" && (
          <div className="sm:col-span-2">
            <SwitchField
              label="Show originals at the public address"
              help="Once all images are in your storage, the API returns their public addresses. Smaller versions still come from Stet."
              checked={usePublicAddress}
              onCheckedChange={setUsePublicAddress}
            />
          </div>
        )}
      </div>
    </details>
  );
}

interface FieldProps extends FieldsProps {
  readonly name: keyof StorageParts;
  readonly label: string;
  readonly help?: string;
  readonly optional?: boolean;
  readonly className?: string;
  readonly type?: string;
  readonly placeholder?: string;
}

const TextField = ({ parts, change, name, label, help, optional = false, className = "", type, placeholder }: FieldProps) => (
  <Field label={label} help={help} optional={optional} className={className}>
    {(control) => (
      <Input
        {...control}
        type={type}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        required={!optional}
        value={parts[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    )}
  </Field>
);

const SecretField = ({ parts, change, label }: Pick<FieldProps, "parts" | "change" | "label">) => (
  <Field label={label} help="Stored encrypted and never shown again">
    {(control) => (
      <PasswordInput
        {...control}
        autoComplete="new-password"
        required
        value={parts.secret}
        onChange={(event) => change({ secret: event.target.value })}
      />
    )}
  </Field>
);

const ChoiceField = ({ parts, change, name, label, choices }: FieldProps & { choices: readonly (readonly [string, string])[] }) => (
  <Field label={label}>
    {(control) => (
      <Select {...control} value={parts[name]} onChange={(event) => change({ [name]: event.target.value })}>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
