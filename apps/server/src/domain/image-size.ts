/** In pixels, as a browser shows it. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}
