import type { MediaId } from "#domain/ids";
import { type Drawing, encodePng } from "./png.ts";
import { sampleId } from "./sample-ids.ts";

export const IMAGE_WIDTH = 1_200;
export const IMAGE_HEIGHT = 630;
export const IMAGE_EXTENSION = "png";

/** A colour for the top, one for the bottom, and those of the shapes. */
interface Motif {
  readonly alt: string;
  readonly top: number;
  readonly bottom: number;
  readonly shapes: readonly number[];
  /** Which shape covers the place: its number from 0, or -1 for the background. `u` and `v` run from 0 to 1. */
  readonly shapeAt: (u: number, v: number) => number;
}

/** Pictures of the sample publication: a soft background and a few flat shapes, drawn here so that no file must be shipped. */
const MOTIFS = {
  grid: {
    alt: "A ruled grid in soft colours, with one line drawn heavier than the others",
    top: 0xf4efe6,
    bottom: 0xe2d8c8,
    shapes: [0xb9a88f, 0xa4452c],
    shapeAt: (u, v) => (Math.abs(u - 0.382) < 0.006 ? 1 : (u * 24) % 1 < 0.03 || (v * 12.6) % 1 < 0.03 ? 0 : -1),
  },
  ripples: {
    alt: "Concentric circles in three colours, overlapping like ripples",
    top: 0xd7e7ec,
    bottom: 0x8fb8c6,
    shapes: [0x2f6f86, 0xf2c46d, 0xe8f1f2],
    shapeAt: (u, v) => {
      const first = Math.hypot((u - 0.35) * 1.9, v - 0.5);
      const second = Math.hypot((u - 0.68) * 1.9, v - 0.45);
      if (first < 0.5 && (first * 14) % 1 < 0.35) return 0;
      if (second < 0.42 && (second * 14) % 1 < 0.35) return 1;
      return first < 0.12 ? 2 : -1;
    },
  },
  ridges: {
    alt: "Dark ridges fading into a pale sky",
    top: 0xf6e3d3,
    bottom: 0xe9b997,
    shapes: [0xb3715a, 0x7a4a48, 0x3f2c38],
    shapeAt: (u, v) => lowest([0.5 + wave(u, 5, 0.09), 0.64 + wave(u + 0.3, 7, 0.07), 0.8 + wave(u + 0.7, 9, 0.05)], v),
  },
  bands: {
    alt: "Warm bands of colour, like light through an oven door",
    top: 0xf9d9a0,
    bottom: 0xd9822b,
    shapes: [0xf2b35a, 0xc4571f, 0x7d2f14],
    shapeAt: (u, v) => [-1, 0, -1, 1, 0, 2, 1][Math.floor((v + 0.06 * Math.sin(u * 3)) * 7)] ?? -1,
  },
  hills: {
    alt: "Low hills under an evening sky, in layers of blue",
    top: 0xf3d9c4,
    bottom: 0x9db7d5,
    shapes: [0x6f90b8, 0x466a96, 0x26436b],
    shapeAt: (u, v) => lowest([0.55 + wave(u, 2.2, 0.1), 0.68 + wave(u + 0.4, 3, 0.08), 0.84 + wave(u + 0.1, 2, 0.07)], v),
  },
  leaves: {
    alt: "Leaf-like shapes overlapping in greens and ochre",
    top: 0xf1f0dc,
    bottom: 0xd5dcb8,
    shapes: [0x5f7f43, 0x9aad5a, 0xc9963b],
    shapeAt: (u, v) =>
      [
        [0.3, 0.45, 0],
        [0.52, 0.58, 1],
        [0.71, 0.4, 2],
        [0.18, 0.7, 1],
      ].find(([x, y]) => leaf(u - x!, v - y!))?.[2] ?? -1,
  },
  discs: {
    alt: "Two large discs, one half in shade, against a warm ground",
    top: 0xefd7bf,
    bottom: 0xdca982,
    shapes: [0x8c3b2a, 0xf6efe2, 0x2d2a32],
    shapeAt: (u, v) =>
      Math.hypot((u - 0.36) * 1.9, v - 0.52) < 0.3 ? (u < 0.36 ? 0 : 2) : Math.hypot((u - 0.7) * 1.9, v - 0.4) < 0.2 ? 1 : -1,
  },
  spines: {
    alt: "A row of upright blocks in muted colours, like spines on a shelf",
    top: 0xede6da,
    bottom: 0xd8cab3,
    shapes: [0x5b4a3f, 0x8f5b4a, 0x3f5a63, 0xb58a4c],
    shapeAt: (u, v) => {
      const spine = Math.floor(u * 23);
      const height = 0.28 + ((spine * 37) % 11) / 40;
      return v > 0.9 ? 0 : v > height && (u * 23) % 1 > 0.06 ? (spine * 7) % 4 : -1;
    },
  },
  steps: {
    alt: "Rising steps in a single colour, with one step missing",
    top: 0xe9eef2,
    bottom: 0xcbd7e0,
    shapes: [0x3d6b8f],
    shapeAt: (u, v) => {
      const step = Math.floor(u * 12);
      return step !== 7 && step > 0 && step < 11 && 1 - v < 0.12 + step * 0.065 && (u * 12) % 1 > 0.12 ? 0 : -1;
    },
  },
  tiles: {
    alt: "Small tiles in a loose pattern, one of them brighter than the rest",
    top: 0xe8e4ee,
    bottom: 0xcfc6dd,
    shapes: [0x8d7fb0, 0xb3a6cc, 0xf0b541],
    shapeAt: (u, v) => {
      const [column, row] = [Math.floor(u * 20), Math.floor(v * 10.5)];
      if ((u * 20) % 1 < 0.12 || (v * 10.5) % 1 < 0.12) return -1;
      return column === 13 && row === 4 ? 2 : (column * 7 + row * 13) % 5 < 2 ? 0 : (column * 3 + row * 5) % 4 === 0 ? 1 : -1;
    },
  },
  dunes: {
    alt: "Long curves of sand colour crossing each other",
    top: 0xfaf0dc,
    bottom: 0xedd3a5,
    shapes: [0xe3bd84, 0xcf9d62, 0xa97443],
    shapeAt: (u, v) => lowest([0.4 + wave(u, 1.3, 0.16), 0.62 + wave(u + 0.5, 1.1, 0.14), 0.85 + wave(u + 0.2, 1.6, 0.1)], v),
  },
  weave: {
    alt: "Two sets of ribbons woven over and under each other",
    top: 0xf3ece4,
    bottom: 0xe6d9cc,
    shapes: [0x24514f, 0xc06a4b],
    shapeAt: (u, v) => {
      const [across, down] = [(u * 15) % 1 > 0.3, (v * 7.9) % 1 > 0.3];
      const over = (Math.floor(u * 15) + Math.floor(v * 7.9)) % 2 === 0;
      return across && down ? (over ? 0 : 1) : across ? 0 : down ? 1 : -1;
    },
  },
} as const satisfies Record<string, Motif>;

export type ImageName = keyof typeof MOTIFS;
export const IMAGE_NAMES = Object.keys(MOTIFS) as readonly ImageName[];

export const imageId = (name: ImageName): MediaId => sampleId("media", name);
export const imageAlt = (name: ImageName): string => MOTIFS[name].alt;

const SHADES = 32;

const drawn = new Map<ImageName, Uint8Array>();

/** A few kilobytes, kept: the next website gets the same. */
export function imageBytes(name: ImageName): Uint8Array {
  const bytes = drawn.get(name) ?? drawImage(name);
  drawn.set(name, bytes);
  return bytes;
}

function drawImage(name: ImageName): Uint8Array {
  const motif: Motif = MOTIFS[name];
  const drawing: Drawing = {
    width: IMAGE_WIDTH,
    height: IMAGE_HEIGHT,
    palette: [...Array.from({ length: SHADES }, (_, shade) => mix(motif.top, motif.bottom, shade / (SHADES - 1))), ...motif.shapes],
    colourAt(x, y) {
      const v = y / IMAGE_HEIGHT;
      const shape = motif.shapeAt(x / IMAGE_WIDTH, v);
      return shape < 0 ? Math.floor(v * SHADES) : SHADES + shape;
    },
  };
  return encodePng(drawing);
}

const wave = (u: number, waves: number, height: number): number =>
  height * Math.sin(u * waves * 6.283) + height * 0.4 * Math.sin(u * waves * 13.1);

/** The nearest layer whose upper edge is above the place; -1 for the sky. */
const lowest = (edges: readonly number[], v: number): number => edges.findLastIndex((edge) => v > edge);

function leaf(dx: number, dy: number): boolean {
  const along = dx * 1.9 * 0.8 + dy * 0.6;
  const across = -dx * 1.9 * 0.6 + dy * 0.8;
  return Math.abs(along) < 0.3 && Math.abs(across) < 0.11 * Math.cos((along / 0.3) * 1.5708);
}

function mix(from: number, to: number, part: number): number {
  const channel = (shift: number) => Math.round(((from >> shift) & 0xff) * (1 - part) + ((to >> shift) & 0xff) * part) << shift;
  return channel(16) | channel(8) | channel(0);
}
