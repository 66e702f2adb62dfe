export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** What name servers know. A name that is not there rejects with the code `ENOTFOUND` or `ENODATA`; anything else is an outage. */
export interface Names {
  /** Everything a name stands for. */
  addresses(hostname: string): Promise<readonly Resolved[]>;
  /** The hosts behind a service. */
  services(name: string): Promise<readonly { readonly name: string; readonly port: number }[]>;
  texts(name: string): Promise<readonly string[]>;
}
