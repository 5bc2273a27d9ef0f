/** Staff act as a person for a reason, who reads about it; nothing on their page has an accessibility fault. */
import { apiAt, joinServer, proveAddress, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

let staffed: StoryServer;
let staff: Person;
test.beforeAll(async () => {
  staffed = await startStoryServer({ STAFF_EMAILS: 'staff@example.org' });
  staff = await joinServer(staffed.url, 'staff');
  await proveAddress(staffed.url, staff);
});
test.afterAll(() => staffed.dispose());

async function ask(...emails: string[]): Promise<void> {
  for (const email of emails) await apiAt(staffed.url)('newsletter.create', { body: { email } });
}

test('staff view an account for a reason, act there under a banner, and the person reads about it @long', async ({
  browser,
}) => {
  const uma = takePerson(staffed);
  await uma.api('memory.create', {
    body: { workspaceId: uma.workspaceId, title: 'Kept by Uma', origin: 'manual_entry' },
  });
  const context = await browser.newContext({ baseURL: staffed.url });
  await sitDown(context, staffed.url, staff);
  const page = await context.newPage();
  await page.goto('/imp?code=not-a-code');
  await expect(page, 'a code that does not work leads to the log-in, and on from there').not.toHaveURL(/imp/);
  await page.goto('/admin');
  await page.getByLabel('E-mail address of the account').fill(uma.email);
  await page.getByLabel('Reason').fill('short');
  await expect(page.getByRole('button', { name: 'View account' })).toBeDisabled();
  await page.getByLabel('Reason').fill('Ticket 4711: the import does not end');
  await page.getByRole('button', { name: 'View account' }).click();

  const banner = page.getByRole('region', { name: 'Impersonation' });
  await expect(banner).toContainText('viewing as');
  await expect(page.getByText('Kept by Uma').first()).toBeVisible();
  await page.goto(page.url());
  await expect(banner, 'a reload ends it on this page').toBeHidden();

  await page.goto('/admin');
  await page.getByLabel('E-mail address of the account').fill(uma.email);
  await page.getByLabel('Reason').fill('Ticket 4711: the import does not end');
  await page.getByRole('button', { name: 'View account' }).click();
  await banner.getByRole('button', { name: 'Exit' }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(banner).toBeHidden();
  await expect
    .poll(async () => (await uma.api('notification.list', {})).result.map(({ title }) => title).join())
    .toMatch(/support|viewed/i);
  await context.close();
});

for (const mode of LOOKS) {
  test(`staff in ${mode} has no accessibility fault`, LONG_LOOK, async ({ browser }) => {
    await ask('ida@example.org', 'jo.with.a.long.address.that.needs.room@example.org');
    const options = windowOf(mode, { width: 390, height: 780 });
    const context = await browser.newContext({ ...options, baseURL: staffed.url });
    await sitDown(context, staffed.url, staff);
    const page = await context.newPage();
    await page.goto('/admin');
    await expect(page.getByText('ida@example.org', { exact: true })).toBeVisible();
    await lookAt(page, 'staff', mode);
    await page.getByRole('button', { name: 'Approve all' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'staff-approve', mode);
    await context.close();
  });
}
