// State of a newsletter form (specification sections 4, 5 and 8): when an address is checked and what the button shows.
// Checking and sending arrive with the first focus, because most visitors of a page leave no address.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NEWSLETTER_VALIDATION_DELAY_MS } from '#shared/constants.ts';

const load = () => import('#client/site/newsletter.ts');

/** Handlers and state of one form. Checks on input after 300 ms, at once on blur and change. */
export function useNewsletterForm(onRegistered?: () => void) {
  const [problem, setProblem] = useState<string>();
  const [submitting, setSubmitting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const check = async (value: string): Promise<string | undefined> => {
    const found = (await load()).emailProblem(value);
    setProblem(found);
    return found;
  };
  const checkNow = (value: string): void => {
    clearTimeout(timer.current);
    void check(value);
  };
  const checkSoon = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void check(value), NEWSLETTER_VALIDATION_DELAY_MS);
  };
  const submit = async (form: HTMLFormElement, input: HTMLInputElement): Promise<void> => {
    clearTimeout(timer.current);
    if (await check(input.value)) return input.focus();
    setSubmitting(true);
    const registered = await (await load()).register(form);
    setSubmitting(false);
    if (registered) onRegistered?.();
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem('email');
    if (!submitting && input instanceof HTMLInputElement) void submit(event.currentTarget, input);
  };
  return { problem, submitting, checkNow, checkSoon, onSubmit, prepare: () => void load() };
}
