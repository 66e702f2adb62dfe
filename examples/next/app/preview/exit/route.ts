import { draftMode } from "next/headers";
import { redirect } from "next/navigation";

export async function GET(): Promise<never> {
  (await draftMode()).disable();
  redirect("/");
}
