/** What the link in a letter holds that asks whether an address is one's own. */
export interface EmailProof {
  readonly email?: string;
  readonly token?: string;
}

export const readEmailProof = ({ email, token }: Record<string, unknown>): EmailProof => ({
  ...(typeof email === "string" && { email }),
  ...(typeof token === "string" && { token }),
});
