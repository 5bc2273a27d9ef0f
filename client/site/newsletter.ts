// Sends a newsletter sign-up and shows the toast that follows (specification sections 7 and 8).
import { NEWSLETTER_PATH } from '#shared/site/newsletter.ts';
import { showToast } from '#client/shell/toasts.ts';

export { emailProblem } from '#shared/site/email-address.ts';

/** The landing host may be another one; then the page names it. */
function signupUrl(): string {
  const landing = document.querySelector<HTMLMetaElement>('meta[name="landing"]')?.content ?? '';
  return landing + NEWSLETTER_PATH;
}

async function send(form: HTMLFormElement): Promise<void> {
  const fields = new FormData(form);
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const response = await fetch(signupUrl(), {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: text('email'), website: text('website') }),
  });
  if (!response.ok) throw new Error(`The sign-up was answered with ${response.status}`);
}

/** Answers whether the address was taken; says so either way. */
export async function register(form: HTMLFormElement): Promise<boolean> {
  try {
    await send(form);
    form.reset();
    showToast({ kind: 'success', title: 'Registered!', description: 'Your invite is incoming!' });
    return true;
  } catch (error) {
    console.warn('The sign-up did not reach the server', error);
    showToast({ kind: 'error', title: 'Error registering', description: 'Please try again' });
    return false;
  }
}
