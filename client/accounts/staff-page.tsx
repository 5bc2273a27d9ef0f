/**
 * `/admin`: for the people who run this server. Reports of public content with what can be decided about them, requests for
 * early access, apps to verify, and the way to see what a person sees. For everyone else the address does not exist.
 */
import { ArrowLeft } from 'lucide-react';
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
      <section aria-labelledby="staff-reports" className="flex flex-col gap-3">
        <h2 id="staff-reports" className="font-serif text-name">
          Reports
        </h2>
        <ReportsList />
      </section>
      <section aria-labelledby="staff-access" className="flex flex-col gap-3">
        <h2 id="staff-access" className="font-serif text-name">
          Early access
        </h2>
        <AccessRequests />
      </section>
      <section aria-labelledby="staff-apps" className="flex flex-col gap-3">
        <h2 id="staff-apps" className="font-serif text-name">
          Apps
        </h2>
        <PublicClientsCard />
      </section>
      <section aria-labelledby="staff-support" className="flex flex-col gap-3">
        <h2 id="staff-support" className="font-serif text-name">
          View an account
        </h2>
        <ImpersonateForm />
      </section>
    </>
  );
}

export function StaffPage() {
  usePageTitle('Staff');
  const { known, load } = useLoaded(fetchIsStaff);
  if (known.state === 'here' && !known.value) return <MissingPage />;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-8">
      <LoadedList known={known} what="this page" onRetry={() => void load()}>
        {() => <Sections />}
      </LoadedList>
    </div>
  );
}
