/** The address for saving by e-mail: made, mailed to, renewed and switched off. */
import { sitDown } from '../support/person.ts';
import { takePort } from '../support/ports.ts';
import { sendMail } from '../support/mail-sender.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { startStoryServer } from './support/servers.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test('an address is made, takes a mail, is renewed and switched off @long', async ({ browser }) => {
  const port = await takePort();
  const env = { INBOUND_MAIL_DOMAIN: 'in.example', INBOUND_MAIL_PORT: String(port) };
  const server = await startStoryServer(env);
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    const mia = takePerson(server);
    await sitDown(context, server.url, mia);
    await page.goto(`/${mia.slug}/settings`);
    const section = page.getByRole('region', { name: 'Save by e-mail' });
    await section.getByRole('button', { name: 'Create address' }).click();
    const address = section.getByLabel('Your address');
    await expect(address).toHaveValue(/^save_[a-z1-9]{32}@in\.example$/);
    const first = await address.inputValue();
    expect(await sendMail({ port }, { to: first, subject: 'Mailed from afar', text: 'Hello' })).toEqual({
      code: 250,
      words: 'Saved',
    });
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(page.getByText('Mailed from afar').first()).toBeVisible();

    await page.goto(`/${mia.slug}/settings`);
    await section.getByRole('button', { name: 'Renew address' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(address).toHaveValue(first);
    await section.getByRole('button', { name: 'Renew address' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew address' }).click();
    await expect(address).not.toHaveValue(first);
    expect((await sendMail({ port }, { to: first, text: 'too late' })).code).toBe(550);

    const second = await address.inputValue();
    await section.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
    await expect(section.getByRole('button', { name: 'Create address' })).toBeVisible();
    expect((await sendMail({ port }, { to: second, text: 'too late' })).code).toBe(550);
    await context.close();
  } finally {
    await server.dispose();
  }
});

for (const look of LOOKS) {
  test(`the address in ${look} has no accessibility fault`, LONG_LOOK, async ({ browser }) => {
    const server = await startStoryServer({ INBOUND_MAIL_DOMAIN: 'in.example' });
    try {
      const context = await browser.newContext({ baseURL: server.url, ...windowOf(look) });
      const page = await context.newPage();
      const kim = takePerson(server);
      await sitDown(context, server.url, kim);
      await page.goto(`/${kim.slug}/settings`);
      const section = page.getByRole('region', { name: 'Save by e-mail' });
      await section.getByRole('button', { name: 'Create address' }).click();
      await section.getByLabel('Your address').scrollIntoViewIfNeeded();
      expect(await lookFaults(page, look)).toEqual([]);
      const folder = process.env['SCREENSHOTS'];
      if (folder) await page.screenshot({ path: `${folder}/mail-address-${look}.png` });
      await context.close();
    } finally {
      await server.dispose();
    }
  });
}
