import type { FrameRoom } from "./frames.ts";

/** So many bytes at a time; who comes when it is full waits in line. A frame larger than all of it gets in alone. */
export function createFrameRoom(bytes: number, within?: FrameRoom): FrameRoom {
  let used = 0;
  const line: { bytes: number; enter: () => void }[] = [];
  const letIn = () => {
    while (line[0] && (used === 0 || used + line[0].bytes <= bytes)) {
      const next = line.shift()!;
      used += next.bytes;
      next.enter();
    }
  };
  return {
    async take(wanted) {
      await new Promise<void>((enter) => {
        line.push({ bytes: wanted, enter });
        letIn();
      });
      const releaseOuter = await within?.take(wanted);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        used -= wanted;
        releaseOuter?.();
        letIn();
      };
    },
  };
}
