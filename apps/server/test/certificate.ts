import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A certificate for a name that only tests resolve, signed by itself, with its key. */
export async function makeCertificate(name: string): Promise<{ key: string; certificate: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-tls-"));
  const at = (file: string) => path.join(folder, file);
  try {
    execFileSync(
      "openssl",
      // prettier-ignore
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", `/CN=${name}`,
       "-addext", `subjectAltName=DNS:${name}`, "-keyout", at("key.pem"), "-out", at("cert.pem")],
      { stdio: "ignore" },
    );
    return { key: await readFile(at("key.pem"), "utf8"), certificate: await readFile(at("cert.pem"), "utf8") };
  } finally {
    await rm(folder, { recursive: true });
  }
}
