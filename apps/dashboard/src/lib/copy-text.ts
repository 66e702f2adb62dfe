/** Puts a text on the clipboard. Without https a browser does not let a page do that: then the failure says so. */
export async function copyText(text: string, byHand = "Select the text and copy it yourself."): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new Error(`Your browser blocked copying. ${byHand}`);
  }
}
