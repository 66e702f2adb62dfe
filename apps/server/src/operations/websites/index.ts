import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { getWebsite } from "./get-website.ts";
import { listWebsites } from "./list-websites.ts";
import { setFieldDefinitions } from "./set-field-definitions.ts";
import { updateWebsite } from "./update-website.ts";

export const operations = {
  create_website: createWebsite,
  list_websites: listWebsites,
  get_website: getWebsite,
  update_website: updateWebsite,
  set_field_definitions: setFieldDefinitions,
  delete_website: deleteWebsite,
} as const;
