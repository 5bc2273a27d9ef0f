/** The report of a public space or thread, in a dialog: the fields keep their values until the report was received. */
import { fetchPublic, problemIn } from '#client/call-api.ts';
import { showToast } from '#client/shell/toasts.ts';
import { sendOnce } from '#client/shell/busy-form.ts';
import { openDialog } from '#client/shell/native-dialog.ts';
import { keepTyped } from '#client/shell/typed-fields.ts';
import { REPORT_DIALOG, type ReportSubject } from '#client/spaces/report-subject.ts';

const watched = new WeakSet<HTMLFormElement>();

async function send(form: HTMLFormElement, { kind, ...subject }: ReportSubject): Promise<void> {
  const filled = [...new FormData(form)].filter(
    ([, value]) => typeof value === 'string' && value.trim() !== '',
  );
  try {
    await fetchPublic('POST', `/v1/public/${kind}s/report`, { ...subject, ...Object.fromEntries(filled) });
    form.reset();
    form.closest('dialog')?.close();
    showToast({ kind: 'success', title: 'Report sent', description: 'Thank you. We will review it.' });
  } catch (failure) {
    const description = await problemIn(failure);
    showToast({ kind: 'error', title: 'The report was not sent', description });
  }
}

/** Opens the form; its subject is the same for the lifetime of the page. */
export function openReport(subject: ReportSubject): void {
  const form = openDialog(REPORT_DIALOG).querySelector('form');
  if (form === null || watched.has(form)) return;
  watched.add(form);
  keepTyped(form, `loci-report-${subject.id}`);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendOnce(form, () => send(form, subject));
  });
}
