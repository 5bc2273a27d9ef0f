/**
 * Consent form: the app, requested scopes, workspace, spaces, read or write access, and the buttons to allow or deny. The server
 * validates every choice; the form shows in advance which are possible.
 */
import { Check } from 'lucide-react';
import { useState, useCallback } from 'react';
import { isLimitable } from '#shared/api-keys/scopes.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { lastWorkspace, type Person } from '#client/api/session.ts';
import { ClientIdentity } from '#client/oauth/client-identity.tsx';
import type { ConsentRequest, RequestParameters } from '#client/oauth/consent-request.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { SpacesPicker } from '#client/spaces/spaces-picker.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Select } from '#client/ui/select.tsx';
import { sortedByName } from '#shared/english.ts';

const ACCESS = [
  { value: 'write', label: 'Read and change' },
  { value: 'read', label: 'Read only' },
] as const;

/** The password field appears after the press of a button, so it takes the focus from that button. */
function focusField(node: HTMLElement | null): void {
  node?.querySelector('input')?.focus();
}

interface ConsentFormProps {
  request: ConsentRequest;
  parameters: RequestParameters;
  person: Person;
  onLeave: (to: string) => void;
}

/** The choices, as they were the last time where there was one. */
function useChoices({ request: { previous }, person }: Pick<ConsentFormProps, 'request' | 'person'>) {
  const [workspaceId, setWorkspaceId] = useState(() => {
    const known = [previous?.workspaceId, lastWorkspace()?.id];
    const { workspaces } = person;
    return (workspaces.find(({ id }) => id === known[0]) ?? workspaces.find(({ id }) => id === known[1]))?.id;
  });
  const [access, setAccess] = useState<'read' | 'write'>(previous?.writes === false ? 'read' : 'write');
  const [chosen, setChosen] = useState<ReadonlySet<Id<'space'>> | undefined>(() =>
    previous && previous.spaceIds.length > 0 ? new Set(previous.spaceIds) : undefined,
  );
  const selected = workspaceId ?? person.workspaces[0]?.id;
  const chooseWorkspace = (id: string) => {
    setWorkspaceId(person.workspaces.find((each) => each.id === id)?.id);
    setChosen(undefined);
  };
  return { workspaceId: selected, chooseWorkspace, access, setAccess, chosen, setChosen };
}

/** Sends the decision; requires the password when the last confirmation is too old. */
function useDecision({ parameters, onLeave }: Pick<ConsentFormProps, 'parameters' | 'onLeave'>) {
  const [busy, setBusy] = useState<'allow' | 'deny'>();
  const [problem, setProblem] = useState<string>();
  const [password, setPassword] = useState<string>();
  const decide = async (
    decision: 'allow' | 'deny',
    grant: { workspaceId?: Id<'workspace'> | undefined; spaceIds?: Id<'space'>[]; access?: 'read' | 'write' },
  ) => {
    setBusy(decision);
    setProblem(undefined);
    try {
      if (password !== undefined && decision === 'allow') {
        await api('auth.confirm', { body: { password } });
      }
      const { result } = await api('oauth.authorize', { body: { ...parameters, decision, ...grant } });
      onLeave(result.redirect_to);
      return;
    } catch (failure) {
      if (failure instanceof ApiProblem && failure.error.code === 'confirmation_required') setPassword('');
      else if (failure instanceof ApiProblem) setProblem(failure.error.detail.replace(/^password: t/, 'T'));
      else setProblem('Could not reach the server. Try again when you are online.');
    }
    setBusy(undefined);
  };
  return { busy, problem, password, setPassword, decide };
}

export function ConsentForm(props: ConsentFormProps) {
  const { request, person } = props;
  const { client, scopes } = request;
  const { workspaceId, chooseWorkspace, access, setAccess, chosen, setChosen } = useChoices(props);
  const { busy, problem, password, setPassword, decide } = useDecision(props);
  const facts = useWorkspaceFacts(workspaceId, person.user.id);
  const onlyReads = facts?.position === 'read-only';
  const isWriting = (id: string) => id.endsWith(':write');
  const asksForContent = scopes.some(({ id }) => id.includes(':') && isLimitable(id));
  const granted = scopes.filter(
    ({ id }) =>
      (!isWriting(id) || (access === 'write' && !onlyReads)) && (chosen === undefined || isLimitable(id)),
  );
  const allow = () => {
    // A space that was chosen the last time may no longer exist.
    const spaceIds =
      chosen && [...chosen].filter((id) => facts?.spaces?.some((space) => space.id === id) ?? true);
    return decide('allow', { workspaceId, access, ...(spaceIds && { spaceIds }) });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy === undefined && chosen?.size !== 0) void allow();
      }}
    >
      <ClientIdentity request={request} workspace={person.workspaces.find(({ id }) => id === workspaceId)} />
      <Field label="Workspace">
        <Select
          value={workspaceId}
          onChange={(event) => chooseWorkspace(event.target.value)}
          options={person.workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      {asksForContent && (
        <SpacesPicker
          label="What the app can see"
          spaces={facts ? (facts.spaces ?? 'unreachable') : 'loading'}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
      {scopes.some(({ id }) => isWriting(id)) &&
        (onlyReads ? (
          <p className="text-ink-muted">You can read in this workspace, so the app can only read.</p>
        ) : (
          <RadioList
            label="What the app can do"
            columns={2}
            options={ACCESS}
            value={access}
            onValueChange={setAccess}
          />
        ))}
      <section aria-label="Permissions" aria-live="polite">
        <h2 className="mb-2 text-sm font-medium">{client.name} will be able to</h2>
        <ScopeList scopes={granted} />
      </section>
      {password !== undefined && (
        <div ref={focusField}>
          <Field
            label="Password"
            hint="You signed in a while ago. Enter your password to connect an app."
            required
          >
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        </div>
      )}
      <FormProblem text={problem} />
      <div className="flex flex-col gap-2 sm:flex-row-reverse">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="sm:flex-1"
          loading={busy === 'allow'}
          disabled={busy === 'deny' || chosen?.size === 0 || workspaceId === undefined}
        >
          Allow access
        </Button>
        <Button
          size="lg"
          className="sm:flex-1"
          loading={busy === 'deny'}
          disabled={busy === 'allow'}
          onClick={() => void decide('deny', {})}
        >
          Cancel
        </Button>
      </div>
      {chosen?.size === 0 && (
        <p className="-mt-3 text-center text-xs text-ink-muted">Choose at least one space.</p>
      )}
    </form>
  );
}

function ScopeList({ scopes }: { scopes: readonly { id: string; label: string }[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {scopes.map(({ id, label }) => (
        <li key={id} className="flex items-start gap-2.5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary" />
          {label}
        </li>
      ))}
    </ul>
  );
}

const PAGE = 100;
const PAGES_MAX = 10;

interface WorkspaceFacts {
  position: Position | undefined;
  /** By name; undefined when they could not be loaded. */
  spaces: readonly { id: Id<'space'>; name: string }[] | undefined;
}

async function listSpaces(workspaceId: Id<'workspace'>) {
  const spaces: { id: Id<'space'>; name: string }[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { result } = await api('space.list', { params: { workspaceId }, query: { page, perPage: PAGE } });
    spaces.push(...result.map(({ id, name }) => ({ id, name })));
    if (result.length < PAGE) break;
  }
  return sortedByName(spaces, ({ name }) => name);
}

async function fetchFacts(
  workspaceId: Id<'workspace'>,
  userId: Id<'user'> | undefined,
): Promise<WorkspaceFacts> {
  try {
    const [spaces, member] = await Promise.all([
      listSpaces(workspaceId),
      userId && api('workspace_member.get', { params: { workspaceId, id: userId } }),
    ]);
    return { spaces, position: member?.result.position };
  } catch (failure) {
    console.info('consent: the spaces are not here', failure);
    return { spaces: undefined, position: undefined };
  }
}

/** The facts of the chosen workspace; undefined while they load. */
function useWorkspaceFacts(
  workspaceId: Id<'workspace'> | undefined,
  userId: Id<'user'> | undefined,
): WorkspaceFacts | undefined {
  const load = useCallback(
    async () => (workspaceId === undefined ? undefined : fetchFacts(workspaceId, userId)),
    [workspaceId, userId],
  );
  return useResolved(load);
}
