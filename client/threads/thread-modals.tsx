/**
 * The dialogs of threads: a first message, another name, and the question before deleting.
 * Opened through the shell's flags.
 */
import { useState, type FormEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { LIMITS } from '#shared/constants.ts';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { pathTo } from '#shared/pages.ts';
import { removeThread, renameThread } from '#client/threads/actions.ts';
import { useBeginThread } from '#client/threads/begin-thread.ts';
import { Composer } from '#client/threads/composer.tsx';
import { newThreadDraft, useMessages, useThread, useThreadRights } from '#client/threads/queries.ts';
import { useModal } from '#client/shell/modals.ts';
import { useCloseRefused } from '#client/shell/use-close-refused.ts';
import { changedFields, useFormDraft } from '#client/shell/use-form-draft.ts';
import { useActor, useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx';
import { Input } from '#client/ui/input.tsx';
import { countOf } from '#shared/english.ts';

interface NameFormProps {
  /** Key of the name's draft until it is saved. */
  draftKey: string;
  initial: string;
  submit: string;
  close: () => void;
  /** Resolves to whether it is saved. */
  save: (name: string) => Promise<boolean>;
}

function NameForm({ draftKey, initial: stored, submit, close, save }: NameFormProps) {
  const [initial] = useState(stored);
  const [name, setName] = useState(initial);
  const typed = changedFields({ name }, { name: initial });
  const draft = useFormDraft(draftKey, typed, (fields) => setName(fields['name'] ?? initial));
  const send = async () => {
    if (name.trim() !== '' && (await save(name.trim()))) draft.drop();
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const cancel = () => {
    setName(initial);
    draft.drop();
    close();
  };
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      {draft.restored && typed !== undefined && <RestoredDraftNote onDiscard={() => setName(initial)} />}
      <Field label="Name" required>
        <Input
          value={name}
          maxLength={LIMITS.name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <div className="flex justify-end gap-2 max-sm:*:flex-1">
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** The composer of the page of a new thread, over any page: both show the same draft. */
function NewThread({ close }: { close: () => void }) {
  const slug = useWorkspaceSlug();
  const { userId } = useActor();
  const beginThread = useBeginThread();
  const begin = async (content: string) => {
    const isStored = await beginThread(content);
    if (isStored) close();
    return isStored;
  };
  return <Composer draftKey={newThreadDraft(userId, slug)} label="First message" onSend={begin} />;
}

function CreateThreadModal() {
  const modal = useModal('createThread');
  const isAllowed = useCan()('thread.create');
  useCloseRefused('createThread', modal.open && isAllowed === false);
  return (
    <Dialog
      open={modal.open && isAllowed === true}
      onOpenChange={modal.onOpenChange}
      title="New thread"
      description="Ask about your memories, or write a first message. Works offline."
    >
      <NewThread close={modal.close} />
    </Dialog>
  );
}

function RenameThreadModal() {
  const modal = useModal('renameThread');
  const thread = useThread(modal.args?.threadId);
  const rights = useThreadRights();
  const { userId } = useActor();
  if (!thread || !rights('thread.update', thread)) return null;
  const save = async (name: string) => {
    const isDone = await renameThread(thread, name);
    if (isDone) modal.close();
    return isDone;
  };
  return (
    <Dialog open={modal.open} onOpenChange={modal.onOpenChange} title="Rename thread" size="sm">
      <NameForm
        key={thread.id}
        draftKey={`thread-name/${userId}/${thread.id}`}
        initial={thread.name}
        submit="Rename"
        close={modal.close}
        save={save}
      />
    </Dialog>
  );
}

/** A device has the newest messages only, so a full window gives no exact number. */
function describeMessages(count: number): string {
  if (count === 0) return '';
  if (count >= SYNC.windowMessages) return 'All its messages go with it. ';
  return `${countOf(count, 'message goes', 'messages go')} with it. `;
}

function DeleteThreadModal() {
  const modal = useModal('deleteThread');
  const thread = useThread(modal.args?.threadId);
  const rights = useThreadRights();
  const count = useMessages(thread?.id ?? '').length;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const slug = useWorkspaceSlug();
  if (!thread || !rights('thread.remove', thread)) return null;
  const remove = async () => {
    modal.close();
    const isHere = pathname.endsWith(thread.id);
    if ((await removeThread(thread)) && isHere) await navigate(pathTo('threads', { workspace_slug: slug }));
  };
  return (
    <ConfirmDialog
      open={modal.open}
      onOpenChange={modal.onOpenChange}
      title={`Delete ${thread.name}?`}
      confirm="Delete thread"
      onConfirm={() => void remove()}
    >
      {describeMessages(count)}
      It can be restored for {TRASH_DAYS} days.
    </ConfirmDialog>
  );
}

/** All three, once per dashboard. */
export function ThreadModals() {
  return (
    <>
      <CreateThreadModal />
      <RenameThreadModal />
      <DeleteThreadModal />
    </>
  );
}
