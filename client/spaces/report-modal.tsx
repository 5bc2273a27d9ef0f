/**
 * The report of a public space or thread: a reason, a few words if wanted, an address for an answer.
 * The server's answer never tells whether the thing exists, so neither does the toast.
 */
import { type FormEvent, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { REPORT_REASON_LABELS, REPORT_REASONS, type ReportReason } from '#shared/spaces/report-reasons.ts';
import { usePerson } from '#client/api/session.ts';
import { publicApi } from '#client/api/session-client.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { type ModalArguments, useModal } from '#client/shell/modals.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

type Subject = ModalArguments['report'];

interface Words {
  reason: ReportReason;
  details: string;
  email: string;
}

async function send(subject: Subject, { reason, details, email }: Words): Promise<boolean> {
  const said = {
    workspaceId: subject.workspaceId,
    reason,
    ...(details.trim() === '' ? {} : { details: details.trim() }),
    ...(email.trim() === '' ? {} : { email: email.trim() }),
  };
  try {
    if (subject.kind === 'space') {
      const { id, memoryId } = subject;
      await publicApi('public_space.report', { body: { ...said, id, ...(memoryId && { memoryId }) } });
    } else await publicApi('public_thread.report', { body: { ...said, id: subject.id } });
    showToast({ kind: 'success', title: 'Report sent', description: 'Thank you. We will review it.' });
    return true;
  } catch (failure) {
    showProblem(failure);
    return false;
  }
}

function reasonOf(text: string | undefined): Partial<Words> {
  const reason = REPORT_REASONS.find((known) => known === text);
  return reason === undefined ? {} : { reason };
}

function ReportForm({ subject, close }: { subject: Subject; close: () => void }) {
  const [words, setWords] = useState<Partial<Words>>({});
  const [sending, setSending] = useState(false);
  const [missing, setMissing] = useState(false);
  const { reason, details = '', email = '' } = words;
  const person = usePerson();
  // A visitor's e-mail is not kept: visitors never log out, so it would stay; the browser fills it in.
  const typed = changedFields({ reason, details }, { details: '' });
  const draft = useFormDraft(`report/${person?.user.id ?? 'visitor'}/${subject.id}`, typed, (fields) => {
    setWords({ ...words, details: fields['details'] ?? '', ...reasonOf(fields['reason']) });
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason === undefined) return setMissing(true);
    setSending(true);
    const isDone = await send(subject, { reason, details, email });
    setSending(false);
    if (!isDone) return;
    draft.drop();
    close();
  };
  const cancel = () => {
    setWords({});
    draft.drop();
    close();
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <div>
        <RadioList
          label="What is wrong?"
          columns={2}
          options={REPORT_REASONS.map((value) => ({ value, label: REPORT_REASON_LABELS[value] }))}
          value={reason}
          onValueChange={(value) => {
            setMissing(false);
            setWords({ ...words, reason: value });
          }}
        />
        {missing && (
          <p role="alert" className="mt-1 text-xs text-danger-text">
            Choose a reason
          </p>
        )}
      </div>
      <Field label="Details" hint="Optional">
        <Textarea
          value={details}
          maxLength={LIMITS.description}
          rows={3}
          onChange={(event) => setWords({ ...words, details: event.target.value })}
        />
      </Field>
      <Field label="Your e-mail" hint="Optional, for an answer">
        <Input
          inputMode="email"
          autoComplete="email"
          value={email}
          maxLength={LIMITS.email}
          onChange={(event) => setWords({ ...words, email: event.target.value })}
        />
      </Field>
      <DialogFormFoot>
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={sending}>
          Send report
        </Button>
      </DialogFormFoot>
    </form>
  );
}

/** Once per layout that shows public things. */
export function ReportModal() {
  const { open, args, close, onOpenChange } = useModal('report');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={args?.kind === 'thread' ? 'Report this thread' : 'Report this space'}
      description="Reports are read by the people who run this site, not by its author."
    >
      {args && <ReportForm key={args.id} subject={args} close={close} />}
    </Dialog>
  );
}
