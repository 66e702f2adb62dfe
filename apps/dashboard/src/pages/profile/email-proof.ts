/** The parameters of the link in an email that confirms an address. */
export interface EmailProof {
  readonly email?: string;
  readonly token?: string;
}

export const readEmailProof = ({ email, token }: Record<string, unknown>): EmailProof => ({
  ...(typeof email === "string" && { email }),
  ...(typeof token === "string" && { token }),
});
