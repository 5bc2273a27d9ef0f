/** Every kind of mail has both forms, and no fault and no line that is cut off in light, in dark and on a narrow screen. */
import { MAIL_KINDS } from '#server/providers/mail-kinds.ts';
import { MAIL_WIDTH } from '../screenshots/pictures.ts';
import { MAIL_STAFF, sendEveryMail } from '../support/every-mail.ts';
import { LONG_LOOK } from './support/looks.ts';
import { startStoryServer } from './support/servers.ts';
import { axeFaults, cutOff } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const PHONE_WIDTH = 320;

// Nothing here asks the shared server, so it need not start.
test.use({ baseURL: 'http://loci.invalid' });

test('mails in light and dark', LONG_LOOK, async ({ page }) => {
  const server = await startStoryServer({ STAFF_EMAILS: MAIL_STAFF });
  const mails = await sendEveryMail(server.url);
  await server.dispose();
  for (const kind of MAIL_KINDS) {
    const { subject, text, html } = mails[kind];
    await page.setContent(html);
    await expect(page.getByRole('heading', { level: 1 }), kind).toHaveText(subject);
    // The text form says what the HTML form shows, and names the address of each link.
    for (const paragraph of await page.locator('p:not(.address, :has(a))').allInnerTexts())
      expect(text, kind).toContain(paragraph);
    for (const link of await page.getByRole('link').all())
      expect(text, kind).toContain(await link.getAttribute('href'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page), `${kind} in ${colorScheme}`).toEqual([]);
      const shades = await page.evaluate(() =>
        ['body', 'main'].map((part) => {
          const element = document.querySelector(part);
          const color = element ? getComputedStyle(element).backgroundColor : '';
          return Math.max(...(color.match(/\d+/g) ?? []).map(Number));
        }),
      );
      for (const shade of shades)
        if (colorScheme === 'dark') expect(shade, `${kind}: brightest ground`).toBeLessThan(64);
        else expect(shade, `${kind}: darkest ground`).toBeGreaterThan(192);
    }
    for (const width of [MAIL_WIDTH, PHONE_WIDTH]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await cutOff(page), `${kind} at ${width}`).toEqual([]);
    }
  }
});
