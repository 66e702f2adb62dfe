/** An account at Cloudinary and who asks for it. */
export interface CloudinaryAddress {
  readonly cloud: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Where it is asked, and where files are read. Scheme and host, without a slash at the end; both follow from the region. */
  readonly api: string;
  readonly delivery: string;
}

const EXAMPLE = "cloudinary://KEY:SECRET@cloud-name";
/** The hosts of its interface, by where the account's files lie. There is no way to name another host. */
const APIS: ReadonlyMap<string, string> = new Map([
  ["region=us", "https://api.cloudinary.com"],
  ["region=eu", "https://api-eu.cloudinary.com"],
  ["region=ap", "https://api-ap.cloudinary.com"],
]);
const DELIVERY = "https://res.cloudinary.com";

/** Reads `cloudinary://KEY:SECRET@CLOUD?region=us|eu|ap`; a text says what is wrong with it, without repeating any of it. */
export function parseCloudinaryAddress(text: string): CloudinaryAddress | string {
  const [, apiKey, apiSecret, cloud, query] = /^cloudinary:\/\/([^:@/?#]*):([^:@/?#]*)@([^/?#]*)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (apiKey === undefined || apiSecret === undefined || cloud === undefined) return `must be an address such as ${EXAMPLE}.`;
  if (!/^\d{6,30}$/.test(apiKey)) return `must begin with the API key, which is a number, as in ${EXAMPLE}.`;
  if (!/^[A-Za-z0-9_-]{8,100}$/.test(apiSecret))
    return `must contain the API secret after the key, as in ${EXAMPLE}: letters, digits, - and _.`;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(cloud)) return `must end with the name of the cloud, as in ${EXAMPLE}.`;
  const api = APIS.get(query ?? "region=us");
  if (!api) return "can have region=us, region=eu or region=ap after the question mark, and nothing else.";
  return { cloud, apiKey, apiSecret, api, delivery: DELIVERY };
}
