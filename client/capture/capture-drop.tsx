/**
 * Handles what is pasted or dropped anywhere in the dashboard outside of text fields. Text and files to upload open the
 * capture sheet, on the page of a space for that space; text files alone are saved at once; files that cannot be saved
 * are listed.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useMatch } from 'react-router';
import { newId, type Id } from '#shared/ids.ts';
import { PAGES } from '#shared/pages.ts';
import { handToImport } from '#client/shell/import-state.ts';
import { importStore } from '#client/capture/import-store.ts';
import { chosenFiles, entriesOf, filesBelow, hasFolder } from '#client/capture/gathered-files.ts';
import { captureDraft, givenDraft, sharedNames } from '#client/capture/capture-draft-key.ts';
import { useCapture } from '#client/capture/use-capture.ts';
import { removeSharedTexts, takeSharedFiles, type NamedFiles } from '#client/capture/shared-items.ts';
import { addPicked } from '#client/capture/picked-files.ts';
import { useSaveFiles } from '#client/capture/use-save-files.ts';
import { useSpaceBySlug, useSpaceRights } from '#client/spaces/queries.ts';
import { pastedFiles } from '#client/capture/pasted-files.ts';
import { fileSelections, refusedMessage, sortFiles } from '#client/capture/take-files.ts';
import { useReader } from '#client/replica/use-query.ts';
import { findDraft } from '#client/shell/drafts.ts';
import { useStore } from '#client/shell/external-store.ts';
import { openModal, visibleModal } from '#client/shell/modals.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { isEditable, takeEarlyPaste } from '#client/start/early-paste.ts';

/** A browser leaves the page for a file that is dropped on a field; only other dialogs handle drops themselves. */
function takesFiles(target: EventTarget | null): boolean {
  if (visibleModal() === 'createMemory') return true;
  return !(target instanceof Element) || target.closest('[role="dialog"]') === null;
}

/** The space whose page is open, if the person may save into it. */
function useOpenSpaceId(): Id<'space'> | undefined {
  const slug = useMatch(PAGES.space.path)?.params['space_slug'] ?? '';
  const space = useSpaceBySlug(slug);
  const rights = useSpaceRights();
  return space && rights('space.file', space) && rights('memory.create', space) ? space.id : undefined;
}

/** Text of a drag or of the clipboard: addresses first, since browsers add the title as plain text. */
function textOf(data: DataTransfer): string {
  const addresses = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  return addresses.length > 0 ? addresses.join('\n') : data.getData('text/plain');
}

/** Listens while the dashboard is open; shows an overlay while content is dragged in from outside. */
export function CaptureDrop() {
  const [over, setOver] = useState(false);
  const capture = useCapture();
  const read = useReader();
  const { upload } = useSaveFiles();
  const spaceId = useOpenSpaceId();

  /** Resolves to whether the files are no longer needed. */
  const takeFiles = useEffectEvent(async (files: readonly File[], named?: NamedFiles): Promise<boolean> => {
    const { zip, texts, uploads, refused } = await sortFiles(files);
    const isOpen = visibleModal() === 'createMemory';
    if (named === undefined && zip === undefined && (isOpen || uploads.length > 0)) {
      addPicked({ texts, uploads, refused });
      if (!isOpen) openModal('createMemory', spaceId === undefined ? {} : { spaceId });
      return true;
    }
    const queued = uploads.map(({ file, title }) => ({
      file,
      title,
      id: named?.get(file)?.id ?? newId('memory'),
    }));
    let isSafe = await upload(queued, { spaceId: null });
    for (const { file, captured } of texts)
      isSafe = (await capture(captured, { by: 'dropped', named: named?.get(file) })) && isSafe;
    const remarks = texts.flatMap(({ file, remark }) =>
      remark === undefined ? [] : [`${file.name}: ${remark}.`],
    );
    if (remarks.length > 0) showToast({ title: 'Check the imported text', description: remarks.join(' ') });
    const isBusy = zip !== undefined && importStore.get().state !== 'none';
    if (isBusy) refused.push({ name: zip.name, reason: 'another import is under way' });
    if (refused.length > 0) {
      showToast({
        kind: 'warning',
        title: refused.length === 1 ? 'This file was not saved' : `${refused.length} files were not saved`,
        description: refusedMessage(refused),
      });
    }
    if (zip && !isBusy) await handToImport(Promise.resolve(chosenFiles([zip])));
    return isSafe && !isBusy;
  });
  const takeFolders = useEffectEvent((entries: readonly FileSystemEntry[]) => {
    if (importStore.get().state === 'none') void handToImport(filesBelow(entries));
    else
      showToast({
        kind: 'warning',
        title: 'This folder was not imported',
        description: 'Another import is under way.',
      });
  });
  const takeWaiting = useEffectEvent(async () => {
    const place = read(({ actor, workspaceId = '' }) => captureDraft(actor.userId, workspaceId));
    // Texts that are a draft already, and were to be forgotten when the page was left.
    await removeSharedTexts(sharedNames((await findDraft(givenDraft(place)))?.base));
    await takeSharedFiles(place, (files) => takeFiles([...files.keys()], files));
  });
  const takeText = useEffectEvent((text: string) => {
    if (text.trim() !== '' && visibleModal() === undefined) openModal('createMemory', { text });
  });

  const told = useStore(fileSelections);
  useEffect(() => {
    // Also without an announcement: files may wait from a visit that ended before they were saved.
    takeWaiting().catch(showProblem);
  }, [told]);

  useEffect(() => {
    let isInternal = false;
    let depth = 0;
    const wanted = ({ target, dataTransfer }: DragEvent) =>
      !isInternal &&
      dataTransfer !== null &&
      (dataTransfer.types.includes('Files') ? takesFiles(target) : !isEditable(target));
    const onEnter = (event: DragEvent) => {
      depth += 1;
      if (wanted(event)) setOver(true);
    };
    const onLeave = () => {
      depth -= 1;
      if (depth <= 0) setOver(false);
    };
    const onOver = (event: DragEvent) => wanted(event) && event.preventDefault();
    const onDrop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!wanted(event) || event.defaultPrevented || !event.dataTransfer) return;
      event.preventDefault();
      const files = [...event.dataTransfer.files];
      const entries = entriesOf(event.dataTransfer);
      if (hasFolder(entries)) takeFolders(entries);
      else if (files.length > 0) takeFiles(files).catch(showProblem);
      else takeText(textOf(event.dataTransfer));
    };
    const takePasted = (data: DataTransfer) => {
      const files = pastedFiles(data);
      if (files.length > 0) takeFiles(files).catch(showProblem);
      else takeText(textOf(data));
    };
    const onPaste = ({ target, defaultPrevented, clipboardData }: ClipboardEvent) => {
      if (!isEditable(target) && !defaultPrevented && clipboardData) takePasted(clipboardData);
    };
    const early = takeEarlyPaste();
    if (early) takePasted(early);
    const end = new AbortController();
    const { signal } = end;
    addEventListener('dragstart', () => (isInternal = true), { signal });
    addEventListener('dragend', () => (isInternal = false), { signal });
    addEventListener('dragenter', onEnter, { signal });
    addEventListener('dragleave', onLeave, { signal });
    addEventListener('dragover', onOver, { signal });
    addEventListener('drop', onDrop, { signal });
    addEventListener('paste', onPaste, { signal });
    return () => end.abort();
  }, []);

  if (!over) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed inset-3 z-60 grid place-items-center rounded-dialog border-2 border-dashed border-primary bg-primary-soft/80 font-serif text-name text-primary"
    >
      Drop to save
    </div>
  );
}
