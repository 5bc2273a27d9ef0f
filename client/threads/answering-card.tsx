/**
 * Who writes the answers of the workspace: fetched from the server, tested there, and saved by a button. A typed key stays in
 * its field until it is saved, and is never stored on the device.
 */
import { useState, type FormEvent } from 'react';
import type { Id } from '#shared/ids.ts';
import {
  isOwnService,
  type AnsweringProvider,
  type AnsweringSettings,
  type AnsweringTest,
} from '#shared/threads/answering-settings.ts';
import { problemOf, type FieldProblem } from '#client/api/field-problem.ts';
import { api } from '#client/api/session-client.ts';
import { useResult } from '#client/api/use-result.ts';
import { showToast } from '#client/shell/toasts.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { forgetAnsweringModel } from '#client/threads/use-answering-model.ts';
import { useActor } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

export function AnsweringCard({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { known, load } = useResult('answering_settings.get', { params: { workspaceId } });
  const [saved, setSaved] = useState<{ of: Id<'workspace'>; settings: AnsweringSettings }>();
  if (known.state === 'loading')
    return (
      <SkeletonGroup label="Loading">
        <Skeleton className="h-40" />
      </SkeletonGroup>
    );
  if (known.state === 'unreachable')
    return (
      <EmptyState
        title="This setting is unavailable offline"
        action={<Button onClick={() => void load()}>Try again</Button>}
      >
        It is kept on the server.
      </EmptyState>
    );
  const handleSaved = (next: AnsweringSettings) => {
    forgetAnsweringModel(workspaceId);
    setSaved({ of: workspaceId, settings: next });
  };
  const settings = saved?.of === workspaceId ? saved.settings : known.value;
  return <AnsweringForm workspaceId={workspaceId} settings={settings} onSaved={handleSaved} />;
}

function choices({ server, embedding }: AnsweringSettings) {
  return [
    {
      value: 'server',
      label: 'The server’s choice',
      hint:
        server === null
          ? 'This server has no language model, so answers quote passages.'
          : `${server.name} at ${server.host}`,
    },
    {
      value: 'none',
      label: 'No language model',
      hint:
        embedding === null
          ? 'Answers quote passages, and nothing leaves the server.'
          : 'Answers quote passages, search goes by words alone, and nothing leaves the server.',
    },
    { value: 'anthropic', label: 'Anthropic', hint: 'With a key of your account there.' },
    { value: 'google', label: 'Google', hint: 'With a key of your account there.' },
    {
      value: 'openai-compatible',
      label: 'Another address',
      hint: 'Any service with the interface of OpenAI, such as OpenAI itself, Ollama or vLLM.',
    },
  ] as const;
}

interface Typed {
  provider: AnsweringProvider;
  url: string;
  model: string;
  describes: 'yes' | 'no';
}

const textsOf = ({ provider, url, model, describes }: AnsweringSettings): Typed => ({
  provider,
  url: url ?? '',
  model: model ?? '',
  describes: describes ? 'yes' : 'no',
});

const yesIf = (isOn: boolean) => (isOn ? 'yes' : 'no');

const FIELDS = ['url', 'model', 'apiKey'] as const;
type FieldName = (typeof FIELDS)[number];
type Problem = FieldProblem<FieldName>;

interface FormProps {
  workspaceId: Id<'workspace'>;
  settings: AnsweringSettings;
  onSaved: (next: AnsweringSettings) => void;
}

function AnsweringForm({ workspaceId, settings, onSaved }: FormProps) {
  const { userId } = useActor();
  const stored = textsOf(settings);
  const [typed, setTyped] = useState(stored);
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState<'save' | 'test'>();
  const [problem, setProblem] = useState<Problem>();
  const [tested, setTested] = useState<AnsweringTest>();
  const changed = changedFields(typed, stored);
  const draft = useFormDraft(`answering/${userId}/${workspaceId}`, changed, (fields) => {
    const provider = choices(settings).find(({ value }) => value === fields['provider'])?.value;
    setTyped({
      provider: provider ?? stored.provider,
      url: fields['url'] ?? stored.url,
      model: fields['model'] ?? stored.model,
      describes: fields['describes'] === undefined ? stored.describes : yesIf(fields['describes'] === 'yes'),
    });
  });
  const change = (next: Partial<Typed>) => {
    setTyped({ ...typed, ...next });
    setProblem(undefined);
    setTested(undefined);
  };
  const isChanged = changed !== undefined || key !== '';
  const isOwn = isOwnService(typed.provider);
  const hasModel = isOwn || (typed.provider === 'server' && settings.server !== null);
  const keepsKey = settings.hasKey && typed.provider === settings.provider;
  const body = {
    provider: typed.provider,
    url: typed.provider === 'openai-compatible' ? typed.url.trim() : null,
    model: isOwn ? typed.model.trim() : null,
    describes: hasModel && typed.describes === 'yes',
    ...(isOwn && key !== '' && { apiKey: key.trim() }),
  };
  const run = async (what: 'save' | 'test') => {
    if (busy !== undefined) return;
    setBusy(what);
    setProblem(undefined);
    setTested(undefined);
    try {
      const call = { params: { workspaceId }, body };
      if (what === 'test') setTested((await api('answering_settings.test', call)).result);
      else {
        const { result } = await api('answering_settings.replace', call);
        draft.drop();
        setTyped(textsOf(result));
        setKey('');
        showToast({ title: 'Saved', kind: 'success' });
        onSaved(result);
      }
    } catch (failure) {
      setProblem(problemOf(failure, FIELDS));
    } finally {
      setBusy(undefined);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) void run('save');
  };
  const errorOf = (field: FieldName) => (problem?.field === field ? problem.text : undefined);
  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      {draft.restored && changed !== undefined && <RestoredDraftNote onDiscard={() => change(stored)} />}
      <RadioList
        label="Who writes answers"
        hideLabel
        options={choices(settings)}
        value={typed.provider}
        onValueChange={(provider) => {
          change({ provider, model: provider === stored.provider ? stored.model : '' });
          setKey('');
        }}
      />
      {settings.embedding !== null && typed.provider !== 'none' && (
        <p className="text-sm text-ink-muted">
          For search by meaning, the texts of memories and searches are sent to {settings.embedding.name} at{' '}
          {settings.embedding.host}.
        </p>
      )}
      {typed.provider === 'openai-compatible' && (
        <Field
          label="Address"
          required
          hint="The base of the interface, such as https://api.openai.com/v1"
          error={errorOf('url')}
        >
          <Input
            value={typed.url}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ url: event.target.value })}
          />
        </Field>
      )}
      {isOwn && (
        <>
          <Field label="Model" required hint="Its name as the service writes it." error={errorOf('model')}>
            <Input
              value={typed.model}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ model: event.target.value })}
            />
          </Field>
          <Field
            label="Key"
            required={typed.provider !== 'openai-compatible' && !keepsKey}
            hint={keyHint(settings, keepsKey)}
            error={errorOf('apiKey')}
          >
            <Input
              value={key}
              type="password"
              autoComplete="off"
              spellCheck={false}
              disabled={!settings.keepsKeys}
              onChange={(event) => {
                setKey(event.target.value);
                change({});
              }}
            />
          </Field>
        </>
      )}
      {hasModel && (
        <Checkbox
          label="Also write titles, summaries and tags"
          hint="Of new notes, links and files with some text, and names of threads. Their texts are sent to the model, and each counts as an answer. What a person wrote is never replaced."
          checked={typed.describes === 'yes'}
          onCheckedChange={(isOn) => change({ describes: yesIf(isOn) })}
        />
      )}
      <FormProblem text={problem?.field === undefined ? problem?.text : undefined} />
      <FormProblem text={tested?.problem ?? undefined} />
      <output className="empty:hidden">
        {tested?.answer !== undefined && tested.answer !== null && (
          <>
            It answered: <q>{tested.answer}</q>
          </>
        )}
      </output>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy === 'save'} aria-disabled={!isChanged}>
          Save
        </Button>
        {isOwn && (
          <Button loading={busy === 'test'} onClick={() => void run('test')}>
            Test
          </Button>
        )}
      </div>
    </form>
  );
}

function keyHint({ keepsKeys, keyEnd }: AnsweringSettings, keepsKey: boolean): string {
  if (!keepsKeys) return 'This server cannot keep keys: its operator has not set SECRETS_KEY.';
  if (!keepsKey) return 'Kept encrypted on the server, and never shown again.';
  return keyEnd === null
    ? 'A key is kept. Leave this empty to keep it.'
    : `The key ending in ${keyEnd} is kept. Leave this empty to keep it.`;
}
