/**
 * The report of a public space or thread: a link that names the form, the form in the page, and its outcome; the address says
 * which of these is shown. With script the link opens the same form in a dialog.
 */
import { useId } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { REPORT_REASON_LABELS, REPORT_REASONS } from '#shared/spaces/report-reasons.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { SiteDialog } from '#client/shell/site-dialog.tsx';
import { REPORT_DIALOG, type ReportSubject } from '#client/spaces/report-subject.ts';
import { buttonStyle } from '#client/ui/button-style.ts';
import { controlHeight, controlStyle } from '#client/ui/control-style.ts';

const READERS = 'Reports are read by the people who run this site, not by its author.';

/** Beside the other actions of a visitor on a page. */
export function ReportLink({ subject }: { subject: ReportSubject }) {
  const { pathname } = usePageAddress();
  return (
    <a
      href={`${pathname}?report=1#report`}
      rel="nofollow"
      data-action="report"
      data-subject={JSON.stringify(subject)}
      className={buttonStyle({ variant: 'ghost', size: 'lg' })}
    >
      <SiteIcon name="flag" />
      Report
    </a>
  );
}

/** Results of the report, by the query of the server's redirect. */
const ANSWERS: Readonly<Record<string, string>> = {
  ok: 'Report sent. Thank you. We will review it.',
  invalid: 'Choose a reason, and check the e-mail address and the length of the details.',
  later: 'The report could not be sent. Please try again later.',
};

/** The form as a dialog template, and in the page if the address requests it or has its outcome. */
export function Report({ kind }: { kind: ReportSubject['kind'] }) {
  const title = `Report this ${kind}`;
  return (
    <>
      <SiteDialog id={REPORT_DIALOG} title={title} description={READERS}>
        <ReportForm />
      </SiteDialog>
      <ReportInPage title={title} />
    </>
  );
}

function ReportInPage({ title }: { title: string }) {
  const params = usePageAddress().searchParams;
  const answer = params.get('reported') ?? '';
  const words = Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined;
  const isOpen = params.has('report') || (words !== undefined && answer !== 'ok');
  if (!isOpen && words === undefined) return null;
  return (
    <section id="report" aria-label="Report" className="mt-8 scroll-mt-20">
      {words !== undefined && (
        <output
          className={`mb-4 block rounded-card border px-4 py-3 text-sm ${
            answer === 'ok'
              ? 'border-primary bg-primary-soft text-primary'
              : 'border-danger bg-danger-soft text-danger'
          }`}
        >
          {words}
        </output>
      )}
      {isOpen && (
        <div className="max-w-xl rounded-card border border-line bg-raised p-5">
          <h2 className="font-serif text-name">{title}</h2>
          <p className="mt-1 mb-4 text-sm text-ink-muted">{READERS}</p>
          <ReportForm />
        </div>
      )}
    </section>
  );
}

function ReportForm() {
  const { pathname } = usePageAddress();
  const id = useId();
  return (
    <form method="post" action={pathname} className="flex flex-col gap-4">
      <label htmlFor={`${id}-reason`} className="text-sm font-medium">
        What is wrong?
        <select
          id={`${id}-reason`}
          name="reason"
          required
          className={`${controlStyle} ${controlHeight} mt-2`}
        >
          <option value="">Choose a reason</option>
          {REPORT_REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {REPORT_REASON_LABELS[reason]}
            </option>
          ))}
        </select>
      </label>
      <label htmlFor={`${id}-details`} className="text-sm font-medium">
        Details (optional)
        <textarea
          id={`${id}-details`}
          name="details"
          rows={3}
          maxLength={LIMITS.description}
          className={`${controlStyle} mt-2 py-2`}
        />
      </label>
      <label htmlFor={`${id}-email`} className="text-sm font-medium">
        Your e-mail (optional, for an answer)
        <input
          id={`${id}-email`}
          inputMode="email"
          name="email"
          autoComplete="email"
          maxLength={LIMITS.email}
          className={`${controlStyle} ${controlHeight} mt-2`}
        />
      </label>
      <button type="submit" className={`${buttonStyle({ variant: 'primary', size: 'lg' })} self-start`}>
        Send report
      </button>
    </form>
  );
}
