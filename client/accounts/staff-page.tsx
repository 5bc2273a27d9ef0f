/**
 * `/admin`: for the people who run this server. Reports of public content with what can be decided about them, requests for
 * early access, apps to verify, and the way to see what a person sees. For everyone else the address does not exist.
 */
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { pathTo } from '#shared/pages.ts';
import { MissingPage } from '#client/shell/missing-page.tsx';
import { lastWorkspace } from '#client/api/session.ts';
import { api } from '#client/api/session-client.ts';
import { AccessRequests } from '#client/accounts/access-requests.tsx';
import { ImpersonateForm } from '#client/accounts/impersonate-form.tsx';
import { ReportsList } from '#client/accounts/reports-list.tsx';
import { PublicClientsCard } from '#client/oauth/public-clients-card.tsx';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { LinkButton } from '#client/ui/link-button.tsx';

const fetchIsStaff = async () => (await api('staff.whoami', {})).result.staff;

function StaffSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="font-serif text-name">{title}</h2>
      {children}
    </section>
  );
}

function Sections() {
  const last = lastWorkspace();
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h1 tabIndex={-1} className="font-serif text-page outline-none">
          Staff
        </h1>
        {last && (
          <LinkButton
            to={pathTo('workspace_home', { workspace_slug: last.slug })}
            variant="ghost"
            size="sm"
            icon={<ArrowLeft />}
          >
            Back to {last.name}
          </LinkButton>
        )}
      </header>
      <StaffSection title="Reports">
        <ReportsList />
      </StaffSection>
      <StaffSection title="Early access">
        <AccessRequests />
      </StaffSection>
      <StaffSection title="Apps">
        <PublicClientsCard />
      </StaffSection>
      <StaffSection title="View an account">
        <ImpersonateForm />
      </StaffSection>
    </>
  );
}

export function StaffPage() {
  usePageTitle('Staff');
  const { known, load } = useLoaded(fetchIsStaff);
  if (known.state === 'here' && !known.value) return <MissingPage />;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-8">
      <LoadedList known={known} what="this page" usual={false} onRetry={() => void load()}>
        {(isStaff) => isStaff && <Sections />}
      </LoadedList>
    </div>
  );
}
