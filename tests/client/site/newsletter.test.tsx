/** The newsletter form with script: when an address is checked, with which words, and what comes of sending it. */
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { NEWSLETTER_VALIDATION_DELAY_MS } from '#client/ui/timing.ts';
import { Toaster } from '#client/shell/toaster.tsx';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { watchNewsletterForms } from '#client/site/newsletter.ts';

beforeAll(() => watchNewsletterForms(() => undefined));
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function stageForm() {
  const screen = await render(
    <>
      <NewsletterForm label="E-mail" action="Subscribe" />
      <Toaster />
    </>,
  );
  return { screen, email: screen.getByRole('textbox', { name: 'E-mail' }) };
}

it('checks an address on leaving the field, and 300 ms after the last key, not before', async () => {
  const { screen, email } = await stageForm();
  const note = screen.getByText('Invalid email');
  await userEvent.click(email);
  await userEvent.tab();
  await expect.element(screen.getByText('Required')).toBeVisible();
  vi.useFakeTimers();
  // Without the focus, which a page beside this one may take away: leaving the field checks at once.
  const write = (text: string) => {
    const field = email.element();
    if (field instanceof HTMLInputElement) field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  write('ada@');
  vi.advanceTimersByTime(NEWSLETTER_VALIDATION_DELAY_MS - 1);
  expect(note.query()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(note.query()).not.toBeNull();
  write('ada@example.com');
  vi.advanceTimersByTime(NEWSLETTER_VALIDATION_DELAY_MS);
  expect(note.query()).toBeNull();
});

it('says that an address was taken, and keeps one that could not be sent', async () => {
  const { screen, email } = await stageForm();
  const request = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(null, { status: 201 }));
  await userEvent.fill(email, 'ada@example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Registered!', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Your invite is incoming!', { exact: true })).toBeVisible();
  await expect.element(email).toHaveValue('');
  const sent = request.mock.calls[0]?.[1]?.body;
  expect(typeof sent === 'string' && JSON.parse(sent)).toMatchObject({ email: 'ada@example.com' });

  request.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await userEvent.fill(email, 'ada@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  await expect.element(screen.getByText('Error registering', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Please try again', { exact: true })).toBeVisible();
  await expect.element(email).toHaveValue('ada@example.com');
});
