/**
 * A new API key: its name, what it may do and for how long; then its secret, which is shown this once.
 */
import { useState, type FormEvent } from 'react';
import { SCOPES, type Scope } from '#shared/api-keys/scopes.ts';
import { API_KEY_DAYS } from '#shared/api-keys/limits.ts';
import { DAY_MS, LIMITS } from '#shared/constants.ts';
import { ERRORS } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { KEY_SCOPES, scopesFor, withinSpaces, type KeyAccess } from '#client/api-keys/key-access.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { SpacesPicker } from '#client/spaces/spaces-picker.tsx';
import { useSpaces } from '#client/spaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { Select } from '#client/ui/select.tsx';

const ACCESS = [
  { value: 'read', label: 'Read only', hint: 'Reads and searches what you can read.' },
  { value: 'write', label: 'Read and write', hint: 'Also saves, changes and deletes, as far as you may.' },
  { value: 'custom', label: 'Chosen scopes' },
] as const;

const NEVER = 'never';
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: String(API_KEY_DAYS), label: '1 year' },
  { value: NEVER, label: 'Never' },
];

interface NewKey {
  name: string;
  scopes: Scope[];
  /** Null means every space. */
  spaceIds: Id<'space'>[] | null;
  expiresAt: string | null;
}

function ScopeBoxes({
  scopes,
  chosen,
  onChange,
}: {
  scopes: readonly Scope[];
  chosen: ReadonlySet<Scope>;
  onChange: (next: Set<Scope>) => void;
}) {
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(scope);
    else next.delete(scope);
    onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-3 rounded-card border border-line p-3">
      <legend className="sr-only">Scopes</legend>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          label={SCOPES[scope]}
          hint={scope}
          checked={chosen.has(scope)}
          onCheckedChange={(isOn) => toggle(scope, isOn)}
        />
      ))}
    </fieldset>
  );
}

function KeyForm({ onCreate, onCancel }: { onCreate: (key: NewKey) => Promise<void>; onCancel: () => void }) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState<KeyAccess>('read');
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set());
  const [days, setDays] = useState(String(API_KEY_DAYS));
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [spaceIds, setSpaceIds] = useState<ReadonlySet<Id<'space'>>>();
  const spaces = useSpaces();
  const isLimited = spaceIds !== undefined;
  const scopes = withinSpaces(scopesFor(access, chosen), isLimited);
  const send = async () => {
    setBusy(true);
    setProblem(undefined);
    const expiresAt = days === NEVER ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    try {
      await onCreate({ name: name.trim(), scopes, spaceIds: spaceIds ? [...spaceIds] : null, expiresAt });
    } catch (failure) {
      const isRefused =
        failure instanceof ApiProblem &&
        [ERRORS.invalid.status, ERRORS.forbidden.status].some((status) => status === failure.status);
      if (isRefused) setProblem(failure.error.detail);
      else showProblem(failure);
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '' && scopes.length > 0 && spaceIds?.size !== 0 && !busy) void send();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-5">
      <Field
        label="Name"
        hint="Where the key is used, for example “Backup script”."
        error={tried && name.trim() === '' ? 'Required' : undefined}
        required
      >
        <Input value={name} maxLength={LIMITS.name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="flex flex-col gap-2">
        <SpacesPicker label="What the key can see" spaces={spaces} chosen={spaceIds} onChange={setSpaceIds} />
        {tried && spaceIds?.size === 0 && <FormProblem text="Choose at least one space" />}
      </div>
      <div className="flex flex-col gap-2">
        <RadioList label="Access" options={ACCESS} value={access} onValueChange={setAccess} />
        {access === 'custom' && (
          <ScopeBoxes scopes={withinSpaces(KEY_SCOPES, isLimited)} chosen={chosen} onChange={setChosen} />
        )}
        {tried && scopes.length === 0 && <FormProblem text="Choose at least one scope" />}
      </div>
      <Field label="Expires" hint="A short lifetime limits the damage of a lost key.">
        <Select options={LIFETIMES} value={days} onChange={(event) => setDays(event.target.value)} />
      </Field>
      <FormProblem text={problem} />
      <DialogFormFoot>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={busy}>
          Create key
        </Button>
      </DialogFormFoot>
    </form>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-control bg-warning-soft px-3 py-2 text-warning">
        Copy the key now. It is not shown again, and the server stores only a hash of it.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Input
          readOnly
          aria-label="API key"
          value={secret}
          className="min-w-48 flex-1 font-mono text-xs"
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={secret} label="Copy key" variant="primary" />
      </div>
      <div className="flex justify-end">
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

/** Open while it is rendered; `onClose` also after a key was made. */
export function NewKeyDialog({
  workspaceId,
  onClose,
}: {
  workspaceId: Id<'workspace'>;
  onClose: () => void;
}) {
  const [secret, setSecret] = useState<string>();
  const create = async (key: NewKey) => {
    const { result } = await api('api_key.create', { body: { workspaceId, ...key } });
    setSecret(result.secret);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={secret === undefined ? 'New API key' : 'Your new API key'}
      // A click outside the dialog must not lose a secret that is shown only once.
      onDismiss={() => secret === undefined}
    >
      {secret === undefined ? (
        <KeyForm onCreate={create} onCancel={onClose} />
      ) : (
        <Secret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}
