/** Newsletter and early-access forms with script: when an address is checked, and how it is sent. */
import { NEWSLETTER_VALIDATION_DELAY_MS } from '#client/ui/timing.ts';
import { emailProblem } from '#shared/email-address.ts';
import { NEWSLETTER_PATH } from '#shared/site/newsletter.ts';
import { showToast } from '#client/shell/toasts.ts';
import { sendOnce } from '#client/shell/busy-form.ts';

const FORM = 'form[data-newsletter]';

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
    body: JSON.stringify({
      email: text('email'),
      website: text('website'),
      news: text('news') === 'true',
    }),
  });
  if (!response.ok) throw new Error(`The sign-up was answered with ${response.status}`);
}

/** Returns whether the address was accepted; shows the outcome either way. */
async function register(form: HTMLFormElement): Promise<boolean> {
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

/** The message replaces the hint; both take up the same space. */
function showProblem(form: HTMLFormElement, email: HTMLInputElement, problem: string | undefined): void {
  const note = form.querySelector<HTMLElement>('[data-hint]');
  email.ariaInvalid = String(problem !== undefined);
  note?.toggleAttribute('data-problem', problem !== undefined);
  note?.replaceChildren(problem ?? note.dataset['hint'] ?? '');
}

function emailOf(form: HTMLFormElement): HTMLInputElement | undefined {
  const field = form.elements.namedItem('email');
  return field instanceof HTMLInputElement ? field : undefined;
}

/** Checks on input after 300 ms, at once on leaving the field and on sending. `onRegistered`: after acceptance. */
export function watchNewsletterForms(onRegistered: (form: HTMLFormElement) => void): void {
  const timers = new WeakMap<HTMLFormElement, ReturnType<typeof setTimeout>>();
  const check = (form: HTMLFormElement, email: HTMLInputElement): boolean => {
    clearTimeout(timers.get(form));
    const problem = emailProblem(email.value);
    showProblem(form, email, problem);
    return problem === undefined;
  };
  const submit = async (form: HTMLFormElement, email: HTMLInputElement) => {
    if (!check(form, email)) email.focus();
    else if (await register(form)) onRegistered(form);
  };
  /** Calls back with the form of an event, if it is one of these and about its address. */
  const on = (type: string, run: (form: HTMLFormElement, email: HTMLInputElement, event: Event) => void) =>
    addEventListener(type, (event) => {
      const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>(FORM) : null;
      const email = form ? emailOf(form) : undefined;
      if (form && email && (event.target === email || event.target === form)) run(form, email, event);
    });
  on('focusin', (form) => {
    // Our messages replace the browser's.
    form.noValidate = true;
  });
  on('input', (form, email) => {
    clearTimeout(timers.get(form));
    timers.set(
      form,
      setTimeout(() => check(form, email), NEWSLETTER_VALIDATION_DELAY_MS),
    );
  });
  on('focusout', check);
  on('submit', (form, email, event) => {
    event.preventDefault();
    void sendOnce(form, () => submit(form, email));
  });
}
