import sharp from "sharp";

const [WIDTH, HEIGHT] = [2400, 1600];

/** Different photos of about a megabyte: soft shapes with a grain, as a camera makes them. */
export async function makePhotos(count: number): Promise<Buffer[]> {
  const photos: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const shapes = await sharp(await noise(120, 30))
      .resize(WIDTH, HEIGHT)
      .png({ compressionLevel: 0 })
      .toBuffer();
    const grain = await noise(WIDTH, 22);
    photos.push(
      await sharp(shapes)
        .composite([{ input: grain, blend: "overlay" }])
        .jpeg({ quality: 82 })
        .toBuffer(),
    );
  }
  return photos;
}

const noise = (width: number, sigma: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height: Math.round((width * HEIGHT) / WIDTH),
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
