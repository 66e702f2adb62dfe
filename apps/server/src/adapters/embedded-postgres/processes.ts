import { readFileSync } from "node:fs";

/** Whether a process runs. One that has ended but whose parent has not taken note (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return describeProcess(pid)?.state !== "Z";
}

/** The program's short name and state. Null where the system does not tell (macOS) or there is no such process. */
export function describeProcess(pid: number): { program: string; state: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "4711 (name) S …": the name may hold anything, brackets too.
    return { program: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")), state: text.charAt(text.lastIndexOf(")") + 2) };
  } catch {
    return null;
  }
}
