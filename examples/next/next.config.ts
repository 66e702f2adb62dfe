import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Stet already offers every image in several sizes (`srcset`), so nothing is resized here.
  images: { unoptimized: true },
  // The folder of this file, even where a folder above it has a lock file too.
  turbopack: { root: import.meta.dirname },
};

export default config;
