import { formatBytes } from "../../lib/format.ts";
import { timeLeft } from "../../lib/time-left.ts";
import { MoveProgress } from "../../ui/move-progress.tsx";
import type { ImageMove } from "./words.ts";

export const ImageProgress = ({ move }: { move: ImageMove }) => (
  <MoveProgress
    label={move.direction === "out" ? "Images in your storage" : "Images copied back"}
    move={move}
    facts={[
      `${formatBytes(move.bytesDone)} of ${formatBytes(move.bytesTotal)}`,
      move.bytesPerSecond !== null && `${formatBytes(move.bytesPerSecond)} a second`,
      timeLeft(move.secondsLeft),
    ]}
  />
);
