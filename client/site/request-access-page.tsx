// Request access: the early-access form as a page of its own, for those who come by link or without JavaScript.
import { usePageAddress } from '#client/shell/page-address.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { Column } from '#client/site/section.tsx';

/** Results of the form without JavaScript, by the query of the server's redirect. */
const ANSWERS: Record<string, { title: string; text: string; tone: string }> = {
  ok: {
    title: 'Registered!',
    text: 'Your invite is incoming!',
    tone: 'border-primary bg-primary-soft text-primary',
  },
  invalid: {
    title: 'Invalid email',
    text: 'Please check the address and send it again.',
    tone: 'border-danger bg-danger-soft text-danger',
  },
  error: {
    title: 'Error registering',
    text: 'Please try again',
    tone: 'border-danger bg-danger-soft text-danger',
  },
};

export function RequestAccessPage() {
  const answer = ANSWERS[usePageAddress().searchParams.get('registered') ?? ''];
  return (
    <Column className="py-16 sm:py-24">
      <div className="mx-auto max-w-md">
        <h1 className="font-serif text-title">Request access</h1>
        <p className="mt-4 text-base text-ink-muted">
          {PRODUCT_NAME} opens in small groups. Leave your address and an invite will follow. If you run your
          own server, you need no invite at all.
        </p>
        {answer && (
          <output className={`mt-6 block rounded-card border px-4 py-3 text-sm ${answer.tone}`}>
            <strong>{answer.title}</strong> {answer.text}
          </output>
        )}
        <div className="mt-8">
          <NewsletterForm
            label="E-mail"
            action="Request access"
            asksForNews
            hint="Stored on this server and read only by the people who run it."
          />
        </div>
        <p className="mt-6 border-t border-line pt-5 text-sm">
          <a
            href="/login"
            className="inline-flex min-h-6 items-center font-medium text-primary hover:underline pointer-coarse:min-h-11"
          >
            Already have an account? Log in
          </a>
        </p>
      </div>
    </Column>
  );
}
