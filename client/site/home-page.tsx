// The home page: what the product is, for whom, and how to sign up. Its text comes from content/index.yml.
import { clsx } from 'clsx';
import type { IndexData } from '#shared/site/content.ts';
import { SearchDemoCard } from '#client/site/search-demo-card.tsx';
import { CallToAction, Column, FeatureGrid, LinkRow, SectionHead } from '#client/site/section.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';

export function HomePage({ data }: { data: IndexData }) {
  const { hero, demo, figures, sections, features, steps, testimonials, cta } = data;
  return (
    <>
      <Hero hero={hero} demo={demo} />
      <Figures figures={figures} />
      <SpaceCover name="Loci" color="emerald" lit wide className="h-28 sm:h-38" />
      <Column className="pt-16 sm:pt-24">
        <ScreenPicture name="home" alt="The application: spaces on the left, saved memories on the right" />
      </Column>
      {sections.map((section, index) => (
        <Story key={section.id} section={section} flipped={index % 2 === 1} />
      ))}
      <div className="border-y border-line bg-sunk">
        <Column className="py-20 sm:py-24">
          <SectionHead title="Also included" />
          <div className="mt-12">
            <FeatureGrid features={features} />
          </div>
        </Column>
      </div>
      <Steps steps={steps} />
      {testimonials.length > 0 && <Testimonials testimonials={testimonials} />}
      <CallToAction {...cta} />
    </>
  );
}

function Hero({ hero, demo }: Pick<IndexData, 'hero' | 'demo'>) {
  return (
    <Column className="grid gap-12 pt-14 pb-16 lg:grid-cols-2 lg:gap-14 lg:pt-20">
      <div>
        <h1 className="font-serif text-display">{hero.title}</h1>
        <p className="mt-7 max-w-xl text-reading text-ink-muted">{hero.description}</p>
        <div className="mt-8">
          <LinkRow links={hero.links ?? []} />
        </div>
      </div>
      <SearchDemoCard demo={demo} />
    </Column>
  );
}

function Figures({ figures }: { figures: IndexData['figures'] }) {
  return (
    <Column className="pb-16">
      <section aria-label={figures.title} className="border-t border-line pt-6">
        <dl className="grid gap-8 md:grid-cols-3">
          {figures.facts.map(({ title, description, to }) => (
            <div key={title} className="flex flex-col-reverse justify-end gap-1.5">
              <dt className="max-w-xs text-ink-muted">
                <a href={to} className="underline decoration-line-strong underline-offset-4 hover:text-ink">
                  {description}
                </a>
              </dt>
              <dd className="font-serif text-page">{title}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Column>
  );
}

function Story({ section, flipped }: { section: IndexData['sections'][number]; flipped: boolean }) {
  return (
    <Column className="py-16 sm:py-20">
      <section
        id={section.id}
        className={clsx(
          'grid items-center gap-10 lg:gap-14',
          flipped ? 'lg:grid-cols-[3fr_2fr]' : 'lg:grid-cols-[2fr_3fr]',
        )}
      >
        <div className={clsx(flipped && 'lg:order-2')}>
          <SectionHead eyebrow={section.eyebrow} title={section.title} description={section.description} />
          <ul className="mt-6 space-y-3">
            {section.points?.map((point) => (
              <li key={point} className="flex gap-3 leading-6 text-ink-muted">
                <SiteIcon name="check" className="mt-1 size-4 shrink-0 text-primary" />
                {point}
              </li>
            ))}
          </ul>
        </div>
        <ScreenPicture {...section.picture} />
      </section>
    </Column>
  );
}

function Steps({ steps }: { steps: IndexData['steps'] }) {
  return (
    <Column className="pt-20 sm:pt-24">
      <SectionHead title="Begin in three steps" />
      <ol className="mt-12 grid gap-8 md:grid-cols-3">
        {steps.map(({ title, description }, index) => (
          <li key={title} className="border-t border-line-strong pt-5">
            <p className="font-mono text-sm text-primary">{index + 1}</p>
            <h3 className="mt-3 font-serif text-name">{title}</h3>
            <p className="mt-2 leading-6 text-ink-muted">{description}</p>
          </li>
        ))}
      </ol>
    </Column>
  );
}

function Testimonials({ testimonials }: { testimonials: IndexData['testimonials'] }) {
  return (
    <Column className="pt-20 sm:pt-24">
      <SectionHead title="What people say" />
      <ul className="mt-10 grid gap-6 md:grid-cols-3">
        {testimonials.map(({ quote, name, role }) => (
          <li key={name} className="rounded-card border border-line p-6">
            <blockquote className="text-base">{quote}</blockquote>
            <p className="mt-4 text-sm text-ink-muted">
              {name}, {role}
            </p>
          </li>
        ))}
      </ul>
    </Column>
  );
}

/** Width and height of the pictures in pixels. */
const WIDTH = 1280;
const HEIGHT = 800;

/** A browser fetches only the picture of the colour mode in use: one that is not displayed is never near the window. */
function ScreenPicture({ name, alt }: { name: string; alt: string }) {
  return (
    <div className="overflow-hidden rounded-dialog border border-line bg-raised shadow-float">
      {(['light', 'dark'] as const).map((mode) => (
        <img
          key={mode}
          src={`/screenshots/${name}-${mode}.webp`}
          alt={alt}
          width={WIDTH}
          height={HEIGHT}
          loading="lazy"
          decoding="async"
          className={mode === 'light' ? 'h-auto w-full dark:hidden' : 'hidden h-auto w-full dark:block'}
        />
      ))}
    </div>
  );
}
