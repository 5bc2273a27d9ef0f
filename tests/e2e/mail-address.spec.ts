/** The address for saving by e-mail as a person sees it. */
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { startStoryServer } from './support/servers.ts';
import { lookAt } from './support/screen-faults.ts';
import { test } from './support/stories.ts';

for (const look of LOOKS) {
  test(`the address in ${look} has no accessibility fault`, LONG_LOOK, async ({ browser }) => {
    const server = await startStoryServer({ INBOUND_MAIL_DOMAIN: 'in.example' });
    try {
      const context = await browser.newContext({ baseURL: server.url, ...windowOf(look) });
      const page = await context.newPage();
      const kim = takePerson(server);
      await sitDown(context, server.url, kim);
      await page.goto(`/${kim.slug}/settings/import`);
      const section = page.getByRole('region', { name: 'Save by e-mail' });
      await section.getByRole('button', { name: 'Create address' }).click();
      await section.getByLabel('Your address').scrollIntoViewIfNeeded();
      await lookAt(page, 'mail-address', look);
      await context.close();
    } finally {
      await server.dispose();
    }
  });
}
