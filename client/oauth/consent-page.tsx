/**
 * `/oauth/{id}`: an app requests access, and the signed-in person decides. The address holds the whole request; it is checked
 * before anything is shown, and the response redirects to the app.
 */
import { useCallback, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { lastWorkspace, usePerson } from '#client/api/session.ts';
import { ConsentForm } from '#client/oauth/consent-form.tsx';
import {
  checkRequest,
  parametersOf,
  reasonText,
  type ConsentRequest,
  type ConsentState,
} from '#client/oauth/consent-request.ts';
import { rememberReturn } from '#client/shell/return-path.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { FormCard } from '#client/ui/form-card.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const CHECKING: ConsentState = { state: 'checking' };
const LINK = 'font-medium text-primary underline-offset-2 hover:underline';

/** Checks the request in the address; `retry` repeats it. */
function useConsent() {
  const [search] = useSearchParams();
  const text = search.toString();
  const [tries, setTries] = useState(0);
  const [decided, setDecided] = useState<{ of: string; is: ConsentState }>();
  const check = useCallback(() => checkRequest(parametersOf(new URLSearchParams(text))), [text]);
  const checked = useResolved(check, tries) ?? CHECKING;
  return {
    current: decided?.of === text ? decided.is : checked,
    parameters: parametersOf(search),
    leave: (to: string) => setDecided({ of: text, is: { state: 'leaving', to } }),
    retry: () => setTries(tries + 1),
  };
}

export function ConsentPage() {
  const person = usePerson();
  const { current, parameters, leave, retry } = useConsent();
  const { pathname, search } = useLocation();
  const leavingTo = current.state === 'leaving' ? current.to : undefined;
  useEffect(() => {
    if (leavingTo !== undefined) location.replace(leavingTo);
  }, [leavingTo]);
  if (!person || current.state === 'checking') return <Checking />;
  if (current.state === 'leaving') return <Leaving to={current.to} />;
  if (current.state === 'refused') return <Refused reason={current.reason} />;
  if (current.state === 'unreachable') return <Unreachable onRetry={retry} />;
  if (person.workspaces.length === 0) return <WorkspaceFirst here={pathname + search} />;
  const { request } = current;
  const again = `/login?clear=true&redirect=${encodeURIComponent(pathname + search)}`;
  return (
    <FormCard
      title={`Connect ${request.client.name}`}
      lead={<Introduction request={request} />}
      foot={
        <>
          Signed in as {person.user.email}.{' '}
          <Link to={again} className={LINK}>
            Use another account
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <ConsentForm
          key={request.client.id}
          request={request}
          parameters={parameters}
          person={person}
          onLeave={leave}
        />
        <SmallPrint request={request} />
      </div>
    </FormCard>
  );
}

/** An app needs a workspace; a person without one creates it and returns here. */
function WorkspaceFirst({ here }: { here: string }) {
  useEffect(() => rememberReturn(here), [here]);
  return <Navigate to={pathTo('onboarding', {})} replace />;
}

function Introduction({ request }: { request: ConsentRequest }) {
  return <>{request.client.name} asks for access to a workspace of yours.</>;
}

function SmallPrint({ request: { client, redirectTarget } }: { request: ConsentRequest }) {
  const links = [
    { to: client.privacyPolicyUrl, label: 'Privacy policy' },
    { to: client.termsOfServiceUrl, label: 'Terms of service' },
  ];
  return (
    <p className="text-xs leading-5 text-ink-muted">
      You will be sent to <span className="font-medium wrap-anywhere text-ink">{redirectTarget}</span>. You
      can disconnect the app in the settings at any time.
      {links.map(
        ({ to, label }) =>
          to !== null && (
            <span key={label}>
              {' '}
              <a href={to} target="_blank" rel="noopener noreferrer" className={LINK}>
                {label}
              </a>
            </span>
          ),
      )}
    </p>
  );
}

function Checking() {
  return (
    <FormCard title="Connect an app">
      <SkeletonGroup label="Checking the request">
        <Skeleton className="h-12 w-full" />
        <Skeleton className="mt-4 h-24 w-full" />
      </SkeletonGroup>
    </FormCard>
  );
}

/** Applications of this device open without leaving the page, so it says that it is done. */
function Leaving({ to }: { to: string }) {
  return (
    <FormCard title="Going back to the app" lead="You can close this page when the app has opened.">
      <LinkButton to={to} variant="primary" size="lg" block>
        Open the app
      </LinkButton>
    </FormCard>
  );
}

function Refused({ reason }: { reason: string }) {
  const last = lastWorkspace();
  return (
    <FormCard title="This app could not be connected" lead={reasonText(reason)}>
      <p className="mb-6 text-ink-muted">
        Nothing was shared. Go back to the app and try again, or tell the people who run it.
      </p>
      <LinkButton
        to={last === undefined ? '/' : pathTo('workspace_home', { workspace_slug: last.slug })}
        variant="primary"
        size="lg"
        block
      >
        Back to your workspace
      </LinkButton>
    </FormCard>
  );
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <FormCard title="Connect an app" lead="Could not check the request. Try again when you are online.">
      <Button variant="primary" size="lg" block onClick={onRetry}>
        Try again
      </Button>
    </FormCard>
  );
}
