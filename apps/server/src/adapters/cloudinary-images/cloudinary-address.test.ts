import { expect, test } from "vitest";
import { parseCloudinaryAddress } from "./cloudinary-address.ts";

const SECRET = "aB3_-xyz9012345";

test.each([
  [`cloudinary://123456789012345:${SECRET}@my-cloud`, "https://api.cloudinary.com"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?region=us`, "https://api.cloudinary.com"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?region=eu`, "https://api-eu.cloudinary.com"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?region=ap`, "https://api-ap.cloudinary.com"],
])("%s is an account at a host of Cloudinary's", (text, api) => {
  expect(parseCloudinaryAddress(text)).toEqual({
    cloud: "my-cloud",
    apiKey: "123456789012345",
    apiSecret: SECRET,
    api,
    delivery: "https://res.cloudinary.com",
  });
});

test.each([
  ["", "such as cloudinary://"],
  [`https://123456789012345:${SECRET}@my-cloud`, "such as cloudinary://"],
  [`cloudinary://my-cloud`, "such as cloudinary://"],
  [`cloudinary://123456789012345@my-cloud`, "such as cloudinary://"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud/folder`, "such as cloudinary://"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud@evil.example`, "name of the cloud"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud#x`, "such as cloudinary://"],
  [`cloudinary://KEY:${SECRET}@my-cloud`, "API key"],
  [`cloudinary://123456789012345:${SECRET} @my-cloud`, "API secret"],
  [`cloudinary://123456789012345:<your_api_secret>@my-cloud`, "API secret"],
  [`cloudinary://123456789012345:${SECRET}@`, "name of the cloud"],
  [`cloudinary://123456789012345:${SECRET}@..`, "name of the cloud"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud\n`, "name of the cloud"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?`, "nothing else"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?eu`, "nothing else"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?region=moon`, "nothing else"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?upload_prefix=https://evil.example`, "nothing else"],
  [`cloudinary://123456789012345:${SECRET}@my-cloud?region=eu&region=ap`, "nothing else"],
])("%j is refused in words that do not repeat the secret", (text, problem) => {
  const said = parseCloudinaryAddress(text);
  expect(said).toEqual(expect.stringContaining(problem));
  expect(said).not.toContain(SECRET);
});
