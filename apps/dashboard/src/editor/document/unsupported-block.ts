/** Thrown while reading a block that the editor cannot represent without loss; the block is then shown as its source. */
export class UnsupportedBlock extends Error {
  override readonly name = "NotHoldable";
}
