import { X509Certificate } from "node:crypto";
import { invalid } from "#domain/failure";

/** All authorities of Amazon's databases in one file take some 170 KB. */
const MAX_CHARACTERS = 400_000;
const MAX_CERTIFICATES = 300;

/** The certificates of a pasted PEM text, each parsed; what lies between them, such as comments, is left out. */
export function readCertificates(pem: string): readonly string[] {
  const refuse = (message: string) => invalid([{ field: "ca", message }]);
  if (pem.length > MAX_CHARACTERS) throw refuse(`The certificates are longer than ${MAX_CHARACTERS.toLocaleString("en")} characters.`);
  if (/PRIVATE KEY/.test(pem))
    throw refuse("This contains a private key. Paste only the certificate of the authority, and replace that key.");
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw refuse("Paste a certificate that starts with -----BEGIN CERTIFICATE-----.");
  if (blocks.length > MAX_CERTIFICATES) throw refuse(`There are more than ${MAX_CERTIFICATES} certificates.`);
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block).toString();
    } catch {
      throw refuse(`Certificate ${index + 1} cannot be read. Paste it again in full.`);
    }
  });
}
