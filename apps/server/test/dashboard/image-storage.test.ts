import { afterAll, beforeAll, expect, test } from "vitest";
import { openOwnImages } from "#main/own-images";
import { expectNoSeriousFindings } from "#test/axe";
import { FAKE_ACCOUNT, startFakeCloudinary } from "#test/fake-cloudinary";
import { onWebsite } from "#test/own-images";
import { withPart } from "#test/parts";
import { type S3Server, versitygw } from "#test/s3";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const fake = await startFakeCloudinary();
const ownImages = openOwnImages({ privateTargets: true, clock: () => new Date(), cloudinaryHosts: fake.hosts });

await withDashboard({ ownImages }, (node, browser) => {
  afterAll(() => fake.stop());

  test("a plan without it says so in a line, and shows no form", async () => {
    const tenant = await node.makeTenant({ plan: "free" });
    const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}/settings/images`);
    await page.getByText("The free plan does not include your own image storage.").waitFor();
    expect(await page.getByLabel("Bucket").count()).toBe(0);
  });

  test("the form asks what the provider asks for; an account at Cloudinary is connected, and its key is changed", async () => {
    const tenant = await node.makeTenant();
    const { upload, finish } = onWebsite(node.services, tenant);
    await upload();
    const cookie = await node.signIn(tenant.owner);
    const page = await openPage(browser, cookie, `/s/${tenant.website.id}/settings/images`);
    const provider = page.getByLabel("Provider");
    await provider.selectOption("Cloudflare R2");
    await page.getByLabel("Account ID").fill("0123abc");
    await page.getByLabel("Jurisdiction").selectOption("European Union");
    await page.getByText("Permissions the key needs").click();
    await page.getByText("Object Read & Write").waitFor();
    expect(await page.getByLabel("Endpoint").count()).toBe(0);
    await expectNoSeriousFindings(page);

    await provider.selectOption("Cloudinary");
    await page.getByText(/Upload API.*Admin API.*site_/).waitFor();
    await page.getByLabel("Cloud name").fill("fake-cloud");
    await page.getByLabel("API key", { exact: true }).fill(FAKE_ACCOUNT.apiKey);
    await page.getByLabel("API secret").fill("another-Secret_9");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByRole("alert").getByText("the secret is wrong").waitFor();
    await page.getByLabel("API secret").fill(FAKE_ACCOUNT.apiSecret);
    await page.getByLabel("Deliver images from Cloudinary").click();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("and read at the public address").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Test and connect" }).click();
    await page.getByText("Connected to Cloudinary/fake-cloud with the key …2345.").waitFor();
    await page.getByRole("button", { name: "Activate" }).click();
    await page.getByText("New images go to your storage. They do not count").waitFor();
    await finish();
    await page.getByText("The image of this website is in your storage.").waitFor();
    await page.getByRole("button", { name: "Change key …" }).click();
    expect(await page.getByLabel("Cloud name").inputValue()).toBe("fake-cloud");
    expect(await page.getByLabel("Deliver images from Cloudinary").isChecked()).toBe(true);
    expect(await provider.count()).toBe(0);

    await node.services.platform.ownImageStores.noteError(tenant.website.id, "Cloudinary answered 401.", tenant.website.createdAt);
    const home = await openPage(browser, cookie, `/s/${tenant.website.id}`);
    await home.getByText("Your image storage did not answer.").waitFor();
    await home.getByRole("link", { name: "Image storage" }).first().click();
    await home.getByText("Cloudinary answered 401.").waitFor();
  });

  withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
    let started: Awaited<ReturnType<S3Server["start"]>>;
    beforeAll(async () => {
      started = await server.start();
    });
    afterAll(() => started.stop());

    test("from the form to Disconnect: a wrong key is named, the move is shown as it goes, and the way back without the storage", async () => {
      const tenant = await node.makeTenant();
      const { upload, step, hurry, finish, storeOf } = onWebsite(node.services, tenant);
      const images = [];
      for (let n = 0; n < 30; n++) images.push(await upload());
      const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}/settings/images`);
      await page.getByLabel("Endpoint").fill(`http://${/@([^/]+)/.exec(started.url)![1]!}`);
      await page.getByLabel("Bucket", { exact: true }).fill("pictures");
      await page.getByLabel("Region").fill("eu-test-1");
      await page.getByLabel("Access key ID").fill("KEY");
      await page.getByLabel("Secret access key").fill("wrong");
      await page.getByText("Permissions the key needs").click();
      await page.getByText(`arn:aws:s3:::pictures/${tenant.website.id}/*`).waitFor();
      await page.getByRole("button", { name: "Test", exact: true }).click();
      await page.getByRole("alert").getByText("Writing a file failed").waitFor();
      await expectNoSeriousFindings(page);
      await page.getByText("Permissions the key needs").click();
      await page.getByLabel("Secret access key").fill("SE/CRET+");
      // By keyboard: Enter sends the form.
      await page.getByLabel("Secret access key").press("Enter");
      await page.getByText(/^Connected to .*\/pictures with the key …KEY\.$/).waitFor();

      await page.getByRole("button", { name: "Move images" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await step();
      await page.getByRole("progressbar", { name: "Images in your storage" }).and(page.locator("[aria-valuenow='24']")).waitFor();
      await expectNoSeriousFindings(page);
      await finish();
      await page.getByText("All 30 images are in your storage.").waitFor();
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByText("New images go to your storage. They do not count against your plan.").waitFor();

      await node.services.ownImages.open(started.url).delete(images[0]!.key);
      await page.getByRole("button", { name: "Disconnect …" }).click();
      await page.getByRole("dialog").getByText("30 images").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
      await page.getByText("Images are copied back to Stet.").waitFor();
      await hurry();
      await finish();
      await page.getByText("1 image is missing or damaged in your storage").waitFor();
      await page.getByRole("button", { name: "Change key …" }).click();
      expect(await page.getByLabel("Endpoint").inputValue()).toMatch(/^http:/);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
      await finish();
      await page.getByRole("button", { name: "Disconnect without copying …" }).click();
      await page.getByRole("list", { name: "Missing images" }).getByText(/^dot-/).waitFor();
      await page.getByLabel(/^Type/).fill(tenant.website.name);
      await expectNoSeriousFindings(page);
      await page.getByRole("button", { name: "Disconnect without copying", exact: true }).click();
      await page.getByText("1 image missing").waitFor();
      await page.getByLabel("Bucket", { exact: true }).waitFor();
      expect(await storeOf(images[1]!.id)).toBe("disk");
    });
  });
});
