/** Thrown while reading a block that has no faithful form in the editor; the block is then shown as its source. */
export class NotHoldable extends Error {
  override readonly name = "NotHoldable";
}
