// The early-access form as a card, for the sign-up page of a server that accepts people by invitation.
import type { ReactNode } from 'react';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { NewsletterForm } from '#client/site/newsletter-form.tsx';
import { FormCard } from '#client/ui/form-card.tsx';

/** `foot` leads elsewhere; `notice` says why the visitor got this form. */
export function RequestAccessCard({ foot, notice }: { foot: ReactNode; notice?: string | undefined }) {
  return (
    <FormCard
      title="Request access"
      lead={
        <>
          {notice} {PRODUCT_NAME} opens in small groups. Leave your address and an invite will follow.
        </>
      }
      foot={foot}
    >
      <NewsletterForm label="E-mail" action="Request access" asksForNews />
    </FormCard>
  );
}
