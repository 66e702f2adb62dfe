import type { ActivityLine } from "#ports/platform";
import type { Operation, Scope, Scopes } from "./operation.ts";
import { activityLineOf } from "./write-activity.ts";

/**
 * The lines that a call adds to the activity log. A save writes the lines in its own commit, where the store can do that; those of every other
 * call are written when it is done.
 */
export interface CallActivity {
  /** Worded by what the operation is going to answer. */
  about(output: unknown): readonly ActivityLine[];
  /** They were written. */
  done(): void;
  readonly areWritten: boolean;
}

export function callActivity<S extends Scope, Input, Output>(
  { name, activity }: Operation<S, Input, Output>,
  context: Scopes[S],
  input: Input,
): CallActivity {
  let areWritten = activity === "none";
  return {
    about(output) {
      if (activity === "none") return [];
      const activities = [activity(context, input, output as Output) ?? []].flat();
      return activities.flatMap((each) => activityLineOf(context, name, each) ?? []);
    },
    done() {
      areWritten = true;
    },
    get areWritten() {
      return areWritten;
    },
  };
}
