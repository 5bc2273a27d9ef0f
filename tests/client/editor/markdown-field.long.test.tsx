/** The field for Markdown: nothing typed is lost while the editor's code comes, and the editor does what its keys say. */
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { cdp, page, userEvent } from 'vitest/browser';
import { MarkdownField } from '#client/editor/markdown-field.tsx';
import { undoTable, wipeUndoHistories } from '#client/shell/undo-database.ts';
import { missingParts, retryMissingParts } from '#client/ui/lazy-part.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { waitFor } from '../../support/wait-for.ts';

type Load = (typeof import('#client/editor/lazy-text-editor.ts'))['loadTextEditor'];

/** How the editor's code comes; a test may hold it back or refuse it. */
const code = vi.hoisted(() => ({ load: undefined as ((real: Load) => ReturnType<Load>) | undefined }));
vi.mock('#client/editor/lazy-text-editor.ts', async (original) => {
  const { loadTextEditor } = await original<{ loadTextEditor: Load }>();
  return { loadTextEditor: () => (code.load ? code.load(loadTextEditor) : loadTextEditor()) };
});

const TITLES = ['Raised beds', 'Raised bogs', 'Tide tables'];

beforeEach(() => {
  code.load = undefined;
});
afterEach(() => wipeUndoHistories(() => true));

interface StageOptions {
  start?: string;
  takeFiles?: (files: readonly File[]) => Promise<string>;
  onBlur?: () => void;
}

/** The text of the field as its owner knows it, and how to change it from elsewhere. */
async function stage({
  start = '',
  takeFiles = async () => '',
  onBlur = () => undefined,
}: StageOptions = {}) {
  let text = start;
  let setText: (next: string) => void = () => undefined;
  let setShown: (isShown: boolean) => void = () => undefined;
  function Owner() {
    const [value, setValue] = useState(start);
    const [isShown, setIsShown] = useState(true);
    text = value;
    setText = setValue;
    setShown = setIsShown;
    if (!isShown) return null;
    return (
      <MarkdownField
        label="Notes"
        describedBy="more"
        placeholder="Write…"
        focused
        value={value}
        onChange={setValue}
        onBlur={onBlur}
        draftKey="note/usr_a"
        findTitles={(typed) => TITLES.filter((title) => title.toLowerCase().includes(typed.toLowerCase()))}
        takeFiles={takeFiles}
        filesOf={(data) => [...data.files]}
        onFailure={(failure) => {
          throw failure;
        }}
      />
    );
  }
  const screen = await render(
    <main>
      <h1>Stage</h1>
      <p id="more">Described</p>
      <Owner />
      <button type="button" className="min-h-8">
        After
      </button>
    </main>,
  );
  return {
    screen,
    field: screen.getByRole('textbox', { name: 'Notes' }),
    text: () => text,
    change: (next: string) => setText(next),
    show: (isShown: boolean) => setShown(isShown),
  };
}

const editor = () => document.querySelector<HTMLElement>('.cm-content');
const plain = () => document.querySelector<HTMLTextAreaElement>('textarea:not([aria-hidden])');

/** The stage once the editor is there. */
async function stageEditor(options?: StageOptions) {
  const staged = await stage(options);
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  return staged;
}

/** Holds the code back until the returned function is called. */
function holdCode(): () => void {
  const gate = Promise.withResolvers<void>();
  code.load = (real) => gate.promise.then(real);
  return gate.resolve;
}

function paste(data: DataTransfer): void {
  editor()?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
  );
}

function textPaste(text: string): void {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  paste(data);
}

it('takes keys before the code is there, and hands over text, selection and focus', async () => {
  const release = holdCode();
  const onBlur = vi.fn<() => void>();
  const { text } = await stage({ onBlur });
  await userEvent.keyboard('Hello wrld');
  expect(text()).toBe('Hello wrld');
  plain()?.setSelectionRange(7, 7);
  release();
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  expect(plain()).toBeNull();
  await userEvent.keyboard('o');
  expect(text()).toBe('Hello world');
  // Leaving a field saves it, and this was none.
  expect(onBlur).not.toHaveBeenCalled();
  // What was typed before can be undone as well.
  await userEvent.keyboard('{Control>}z{/Control}{Control>}z{/Control}');
  expect(text()).toBe('');
});

it('loses no key of a fast typist in the moment of the change', async () => {
  const { text } = await stage();
  const words = 'The ferry leaves at six, and the last one at nine. ';
  await userEvent.keyboard(words.repeat(3));
  await waitFor(() => expect(editor()).not.toBeNull());
  await userEvent.keyboard(words);
  expect(text()).toBe(words.repeat(4));
});

it('waits for a word that an input method composes', async () => {
  const release = holdCode();
  const { text } = await stage();
  const session = cdp();
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  expect(plain()?.value).toBe('に');
  release();
  await waitFor(async () => expect(await undoneLoads()).toBe(0));
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  expect(plain()?.value).toBe('にほ');
  await session.send('Input.insertText', { text: '日本' });
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  expect(text()).toBe('日本');
  // The editor composes as well.
  await session.send('Input.imeSetComposition', { text: 'ご', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.insertText', { text: '語' });
  await waitFor(() => expect(text()).toBe('日本語'));
});

/** Zero once everything that was loading when this is called has been answered. */
async function undoneLoads(): Promise<number> {
  await (await import('#client/shell/undo-histories.ts')).findUndoHistory('note/usr_a');
  return 0;
}

it('stays a plain field without the code, says so, and becomes the editor when the code comes', async () => {
  code.load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const { text } = await stage({ start: 'Before' });
  await waitFor(() => expect(missingParts.get()).toContain('formatting while you write'));
  await userEvent.keyboard('{Control>}{End}{/Control}, and after');
  expect(text()).toBe('Before, and after');
  code.load = undefined;
  retryMissingParts();
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  expect(missingParts.get()).toEqual([]);
  await userEvent.keyboard('!');
  expect(text()).toBe('Before, and after!');
});

it('undoes after it was opened again, and never in a text that changed elsewhere', async () => {
  const { text, change, show } = await stageEditor({ start: 'One' });
  await userEvent.keyboard('{Control>}{End}{/Control} two');
  show(false);
  await expect.poll(async () => (await undoTable().get('note/usr_a'))?.hash).toBeDefined();
  show(true);
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(text()).toBe('One');
  await userEvent.keyboard('{Control>}y{/Control}');
  expect(text()).toBe('One two');

  show(false);
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument();
  change('Other words');
  show(true);
  await waitFor(() => expect(editor()).toBe(document.activeElement));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(text()).toBe('Other words');
});

it('shows what is changed elsewhere, and undoes nothing over it', async () => {
  const { text, change } = await stageEditor({ start: 'One' });
  await userEvent.keyboard('{Control>}{End}{/Control} two');
  change('One two three');
  await waitFor(() => expect(editor()?.textContent).toBe('One two three'));
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(text()).toBe('One two three');
  await userEvent.keyboard('{Control>}{End}{/Control}!');
  expect(text()).toBe('One two three!');
});

it('continues lists, ends them, and ticks tasks by key and by pointer', async () => {
  const { text } = await stageEditor();
  await userEvent.keyboard('- [[ ] Sow{Enter}Water{Enter}{Enter}{Enter}Done');
  expect(text()).toBe('- [ ] Sow\n- [ ] Water\n\nDone');
  await userEvent.keyboard('{Control>}{Home}{/Control}{Control>}{Enter}{/Control}');
  expect(text()).toBe('- [x] Sow\n- [ ] Water\n\nDone');
  const box = [...document.querySelectorAll<HTMLElement>('.cm-line span')].find(
    (span) => span.textContent === '[ ]',
  );
  if (!box) throw new Error('The box of the second task is not drawn');
  await userEvent.click(box);
  expect(text()).toBe('- [x] Sow\n- [x] Water\n\nDone');
});

it('makes words bold, italic and links, and takes it back', async () => {
  const { text } = await stageEditor({ start: 'word' });
  await userEvent.keyboard('{Control>}a{/Control}{Control>}b{/Control}');
  expect(text()).toBe('**word**');
  await userEvent.keyboard('{Control>}i{/Control}');
  expect(text()).toBe('***word***');
  await userEvent.keyboard('{Control>}b{/Control}{Control>}i{/Control}');
  expect(text()).toBe('word');
  await userEvent.keyboard('{Control>}k{/Control}https://a.example/');
  expect(text()).toBe('[word](https://a.example/)');
});

it('makes a link of an address that is pasted over words, and pastes everything else as it is', async () => {
  const { text } = await stageEditor({ start: 'tides' });
  await userEvent.keyboard('{Control>}a{/Control}');
  textPaste('https://a.example/t_(x)');
  await expect.poll(text).toBe('[tides](<https://a.example/t_(x)>)');
  await userEvent.keyboard('{Control>}a{/Control}');
  textPaste('javascript:alert(1)');
  await expect.poll(text).toBe('javascript:alert(1)');
  await userEvent.keyboard('{Control>}a{/Control}');
  textPaste('https://a.example/ and more');
  await expect.poll(text).toBe('https://a.example/ and more');
});

it('completes titles after two brackets, by keyboard, and Escape closes the list alone', async () => {
  const { text, screen } = await stageEditor();
  const escapes = vi.fn<(event: KeyboardEvent) => void>();
  addEventListener('keydown', escapes);
  await userEvent.keyboard('See [[[[rai');
  const list = screen.getByRole('listbox');
  await expect.element(list.getByRole('option', { name: 'Raised bogs' })).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter} now');
  expect(text()).toBe('See [[Raised bogs]] now');
  await userEvent.keyboard('{Enter}[[[[ti');
  await expect.element(list.getByRole('option', { name: 'Tide tables' })).toBeVisible();
  escapes.mockClear();
  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  expect(escapes.mock.calls.map(([{ key }]) => key)).toEqual([]);
  removeEventListener('keydown', escapes);
  expect(editor()).toBe(document.activeElement);
});

it('moves items by Tab, and is left by Tab outside of lists and after Escape', async () => {
  const { text, screen } = await stageEditor({ start: '- One\n- Two\n\nText' });
  const after = screen.getByRole('button', { name: 'After' });
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{Tab}');
  expect(text()).toBe('- One\n  - Two\n\nText');
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  expect(text()).toBe('- One\n- Two\n\nText');
  await userEvent.keyboard('{Escape}{Tab}');
  await expect.element(after).toHaveFocus();
  editor()?.focus();
  await userEvent.keyboard('{Control>}{End}{/Control}{Tab}');
  await expect.element(after).toHaveFocus();
  expect(text()).toBe('- One\n- Two\n\nText');
});

it('writes the reference of a pasted or dropped file where the cursor is', async () => {
  const taken: string[][] = [];
  const takeFiles = async (files: readonly File[]) => {
    taken.push(files.map(({ name }) => name));
    return '![sun.png](memory:x)';
  };
  const release = holdCode();
  const { text } = await stage({ start: 'Look', takeFiles });
  await userEvent.keyboard('{Control>}{End}{/Control}');
  const data = new DataTransfer();
  data.items.add(new File(['x'], 'sun.png', { type: 'image/png' }));
  // Before the editor is there they wait for it.
  const early = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
  plain()?.dispatchEvent(early);
  expect(early.defaultPrevented).toBe(true);
  release();
  await waitFor(() => expect(text()).toBe('Look\n![sun.png](memory:x)'));
  paste(data);
  await waitFor(() => expect(text()).toMatch(/^Look\n(?:!\[sun\.png\]\(memory:x\)\n?){2}$/));
  editor()?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  await waitFor(() => expect(taken).toEqual([['sun.png'], ['sun.png'], ['sun.png']]));
});

it('is labelled, described, checked for spelling, and without faults in both forms', async () => {
  const release = holdCode();
  const { field } = await stage({ start: '# Heading\n\n**Bold** and [a link](https://a.example) `code`' });
  expect(await accessibilityFaults()).toEqual([]);
  release();
  await waitFor(() => expect(editor()).not.toBeNull());
  await expect.element(field).toHaveAttribute('aria-multiline', 'true');
  await expect.element(field).toHaveAttribute('spellcheck', 'true');
  await expect.element(field).toHaveAccessibleDescription(/Escape, then Tab to leave the field\. Described/);
  expect(await accessibilityFaults()).toEqual([]);
});
