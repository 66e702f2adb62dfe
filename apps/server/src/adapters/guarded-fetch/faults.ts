/** An address that may not be called, found when its name was resolved. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/**
 * A connection can end without an error and without an answer: Node closes one that wants to change the protocol (101) and tells nobody
 * but `close`. Code that waits for an answer must hear of it, or waits for ever.
 */
export const endedWithoutAnswer = (): Error => Object.assign(new Error("No answer"), { code: "ECONNRESET" });

const FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host name was not found. Check its spelling and its DNS records.",
  EAI_AGAIN: "The host name could not be resolved.",
  ECONNREFUSED: "The connection was refused: nothing is listening there.",
  ECONNRESET: "The connection was closed before the answer was complete.",
  EPIPE: "The connection was closed before the answer was complete.",
  ETIMEDOUT: "The address could not be reached in time.",
  EHOSTUNREACH: "The address cannot be reached.",
  ENETUNREACH: "The address cannot be reached.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed, so it cannot be trusted.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is signed by an unknown authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate cannot be verified; an intermediate certificate may be missing.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The receiver's certificate cannot be verified; an intermediate certificate may be missing.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
};

/** The fault in words, for the operator of the receiver. Says nothing about our network. */
export function faultOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  // Several addresses were tried: what the first said stands for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException | undefined)?.code ?? "";
  if (FAULTS[code]) return FAULTS[code];
  if (code.startsWith("HPE_")) return "The answer is not HTTP.";
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "The TLS connection failed: both sides support no common version or cipher.";
  return `The request failed${code ? ` (${code})` : ""}.`;
}
