import { MoveProgress } from "../../ui/move-progress.tsx";
import { type ContentMove, moveFacts } from "./words.ts";

export const ContentProgress = ({ move }: { move: ContentMove }) => (
  <MoveProgress label={move.direction === "out" ? "Records in your database" : "Records copied back"} move={move} facts={moveFacts(move)} />
);
