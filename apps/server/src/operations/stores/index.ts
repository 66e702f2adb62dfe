import { activateImageStore } from "./activate-image-store.ts";
import { connectImageStore } from "./connect-image-store.ts";
import { disconnectImageStore } from "./disconnect-image-store.ts";
import { getImageStore } from "./get-image-store.ts";
import { listOwnImages } from "./list-own-images.ts";
import { startImageMove } from "./start-image-move.ts";
import { stopImageMove } from "./stop-image-move.ts";
import { testImageStore } from "./test-image-store.ts";

export const operations = {
  get_image_store: getImageStore,
  test_image_store: testImageStore,
  connect_image_store: connectImageStore,
  start_image_move: startImageMove,
  stop_image_move: stopImageMove,
  activate_image_store: activateImageStore,
  disconnect_image_store: disconnectImageStore,
  list_own_images: listOwnImages,
} as const;
