// The pricing page. Its words come from content/pricing.yml.
import type { PricingData } from '#shared/site/content.ts';
import { ActionLink, Column, FeatureGrid, SectionHead } from '#client/site/section.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';

export function PricingPage({ data }: { data: PricingData }) {
  const { hero, headline, plans, features, faq } = data;
  return (
    <>
      <Column className="pt-14 pb-10 sm:pt-20">
        <p className="text-sm font-medium text-primary">{headline}</p>
        <h1 className="mt-2 max-w-2xl font-serif text-title">{hero.title}</h1>
        <p className="mt-5 max-w-2xl text-reading text-ink-muted">{hero.description}</p>
      </Column>
      <Column>
        <ul className="space-y-5">
          {plans.map((plan) => (
            <Plan key={plan.name} plan={plan} />
          ))}
        </ul>
      </Column>
      <Column className="pt-24">
        <SectionHead title="What you get" />
        <div className="mt-12">
          <FeatureGrid features={features} />
        </div>
      </Column>
      <Column className="py-24">
        <SectionHead title="Questions" />
        <div className="mt-8 divide-y divide-line border-y border-line">
          {faq.map(({ question, answer }) => (
            <details key={question} className="group py-2">
              <summary className="flex min-h-11 items-center justify-between gap-4 font-serif text-name marker:content-none">
                {question}
                <span
                  aria-hidden="true"
                  className="text-name text-ink-faint transition-transform duration-fast group-open:rotate-45"
                >
                  +
                </span>
              </summary>
              <p className="max-w-3xl pb-4 text-base text-ink-muted">{answer}</p>
            </details>
          ))}
        </div>
      </Column>
    </>
  );
}

function Plan({ plan }: { plan: PricingData['plans'][number] }) {
  return (
    <li className="grid gap-8 rounded-dialog border border-line bg-raised p-6 sm:grid-cols-2 sm:p-10">
      <div>
        <h2 className="font-serif text-name">{plan.name}</h2>
        <p className="mt-2 leading-6 text-ink-muted">{plan.description}</p>
        <p className="mt-6 flex items-baseline gap-2">
          <span className="font-serif text-title">{plan.price}</span>
          {plan.period && <span className="text-sm text-ink-muted">{plan.period}</span>}
        </p>
        <div className="mt-6">
          <ActionLink {...plan.action} variant="primary" />
        </div>
      </div>
      <ul className="space-y-3 sm:pt-1">
        {plan.features.map((feature) => (
          <li key={feature} className="flex gap-3 leading-6 text-ink-muted">
            <SiteIcon name="check" className="mt-1 size-4 shrink-0 text-primary" />
            {feature}
          </li>
        ))}
      </ul>
    </li>
  );
}
