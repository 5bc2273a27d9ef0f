/**
 * The form that a page is for, in its FormCard: the fields, why the form was refused, and its one button. The first field that
 * is still empty has the focus when it appears, so it checks its fields when it is sent: a complaint on leaving the field would
 * move a link away under the pointer.
 */
import type { FormEvent, FormEventHandler, ReactNode } from 'react';
import { Button } from '#client/ui/button.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';

interface CardFormProps {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
  onInput?: FormEventHandler | undefined;
  problem?: string | undefined;
  /** The text of the button. */
  submit: string;
  busy: boolean;
  children: ReactNode;
}

function focusFirstField(form: HTMLFormElement | null): void {
  const fields =
    form?.querySelectorAll<HTMLInputElement>('input:enabled:not([type=hidden], [type=radio])') ?? [];
  [...fields].find(({ value }) => value === '')?.focus({ preventScroll: true });
}

export function CardForm({ onSubmit, onInput, problem, submit, busy, children }: CardFormProps) {
  return (
    <form
      ref={focusFirstField}
      noValidate
      method="post"
      onInput={onInput}
      onSubmit={(event) => void onSubmit(event)}
      className="flex flex-col gap-4"
    >
      {children}
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="lg" block loading={busy}>
        {submit}
      </Button>
    </form>
  );
}
