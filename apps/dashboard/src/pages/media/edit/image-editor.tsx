import { IMAGE_RATIOS } from "@stet/contract";
import { RotateCcw, RotateCw } from "lucide-react";
import { useState } from "react";
import { useAct } from "../../../api/hooks.ts";
import type { Output } from "../../../api/wire.ts";
import { messageOf } from "../../../lib/problem.ts";
import { smallImage } from "../../../lib/small-image.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/inputs.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.tsx";
import { CropBox } from "./crop-box.tsx";
import { FocalDot } from "./focal-dot.tsx";
import { type Box, boxOfShape, opposite, type Point, type Rotation, turnBox, turnPoint, WHOLE } from "./geometry.ts";
import { ImageStage } from "./image-stage.tsx";

type Media = Output<"get_media">;
interface Settings {
  readonly focalPoint: Point | null;
  readonly crop: Box | null;
  readonly rotation: Rotation;
}

const MIDDLE: Point = { x: 0.5, y: 0.5 };
const ratioOf = (name: string): number | null => {
  const [across, down] = name.split(":").map(Number);
  return across && down ? across / down : null;
};

/** Focal point, crop and rotation. The uploaded file stays as it is. */
export function ImageEditor({ media, onTouched, onClose }: { media: Media; onTouched: (touched: boolean) => void; onClose: () => void }) {
  const saved: Settings = media.edit ?? { focalPoint: null, crop: null, rotation: 0 };
  const [settings, setSettings] = useState(saved);
  const [tool, setTool] = useState<"focal point" | "crop">("focal point");
  const [ratio, setRatio] = useState("free");
  const { focalPoint, crop, rotation } = settings;
  const isGif = media.contentType === "image/gif";
  const change = (part: Partial<Settings>) => {
    setSettings({ ...settings, ...part });
    onTouched(true);
  };
  const edit = useAct("edit_media", { stale: ["list_media", "get_media"] });
  const send = (version: number, { focalPoint: point, crop: part, rotation: degrees }: Settings) =>
    edit.mutateAsync({
      websiteId: media.websiteId,
      mediaId: media.id,
      expectedVersion: version,
      focalPoint: point,
      crop: part,
      rotation: degrees,
    });
  const save = async () => {
    const next = await send(media.version, settings).catch(() => null);
    if (!next) return;
    toast.ok("Image saved.", {
      label: "Undo",
      run: () => void send(next.version, saved).then(() => toast.ok("Undone."), toast.error),
    });
    onTouched(false);
    onClose();
  };

  // Everything below is drawn on the image as it is shown.
  const isOnItsSide = rotation % 180 !== 0;
  const imageRatio = isOnItsSide ? media.height / media.width : media.width / media.height;
  const chosen = ratio === "original" ? imageRatio : ratioOf(ratio);
  const shape = chosen === null ? null : chosen / imageRatio;
  const shownBox = turnBox(crop ?? WHOLE, rotation);
  const shownPoint = turnPoint(focalPoint ?? MIDDLE, rotation);
  const setBox = (box: Box) => change({ crop: box.width > 0.999 && box.height > 0.999 ? null : turnBox(box, opposite(rotation)) });
  const setPoint = (point: Point) => change({ focalPoint: turnPoint(point, opposite(rotation)) });
  const rotate = (by: 90 | 270) => {
    setRatio("free");
    change({ rotation: ((rotation + by) % 360) as Rotation });
  };
  const isChanged = JSON.stringify(settings) !== JSON.stringify(saved);

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <div role="group" aria-label="Tool" className="flex gap-2">
          {(isGif ? (["focal point"] as const) : (["focal point", "crop"] as const)).map((name) => (
            <Button
              key={name}
              size="sm"
              aria-pressed={tool === name}
              variant={tool === name ? "primary" : "outline"}
              onClick={() => setTool(name)}
            >
              {name === "crop" ? "Crop" : "Focal point"}
            </Button>
          ))}
        </div>
        {tool === "crop" && (
          <Select
            aria-label="Ratio"
            className="h-8 w-32"
            value={ratio}
            onChange={({ target: { value } }) => {
              setRatio(value);
              const wanted = value === "original" ? imageRatio : ratioOf(value);
              if (wanted !== null) setBox(boxOfShape(wanted / imageRatio, shownPoint));
            }}
          >
            <option value="free">Free</option>
            <option value="original">Original</option>
            {IMAGE_RATIOS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {!isGif && (
          <>
            <Button size="sm" aria-label="Rotate left" onClick={() => rotate(270)}>
              <RotateCcw aria-hidden />
            </Button>
            <Button size="sm" aria-label="Rotate right" onClick={() => rotate(90)}>
              <RotateCw aria-hidden />
            </Button>
          </>
        )}
        <Button
          size="sm"
          variant="ghost"
          className="ml-auto"
          disabled={!focalPoint && !crop && rotation === 0}
          onClick={() => {
            setRatio("free");
            change({ focalPoint: null, crop: null, rotation: 0 });
          }}
        >
          Reset
        </Button>
      </div>
      <ImageStage
        src={smallImage({ shownUrl: media.url, contentType: media.contentType }, 1280)}
        width={media.width}
        height={media.height}
        rotation={rotation}
        color={media.dominantColor}
        {...(tool === "focal point" && { onPress: setPoint })}
      >
        {tool === "crop" ? (
          <CropBox box={shownBox} shape={shape} onChange={setBox} />
        ) : (
          <>
            <span
              aria-hidden
              className="pointer-events-none absolute shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]"
              style={{
                left: `${shownBox.x * 100}%`,
                top: `${shownBox.y * 100}%`,
                width: `${shownBox.width * 100}%`,
                height: `${shownBox.height * 100}%`,
              }}
            />
            <FocalDot at={shownPoint} onChange={setPoint} />
          </>
        )}
      </ImageStage>
      <p className="text-sm text-muted">
        {tool === "crop"
          ? "Drag the frame or its corners. With the keyboard: arrow keys move it, Shift with arrow keys resizes it."
          : "Click what should stay visible where a page crops the image, or move the dot with the arrow keys."}
        {isGif && " A GIF cannot be cropped or rotated."}
      </p>
      {edit.error && <Notice tone="danger">{edit.error.errors[0]?.message ?? messageOf(edit.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={!isChanged} busy={edit.isPending} onClick={() => void save()}>
          Save
        </Button>
        <Button
          onClick={() => {
            onTouched(false);
            onClose();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
