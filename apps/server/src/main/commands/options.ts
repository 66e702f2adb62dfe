// The commands on a server read their options as those do that work from any machine.
export { readArguments, stopIfWrong } from "@stet/cli";
