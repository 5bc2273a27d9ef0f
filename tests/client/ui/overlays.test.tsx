/** Dialogs and copy buttons in a real browser: focus, keys and times. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useEffect, useRef, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { COPIED_RESET_MS } from '#client/ui/timing.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

function DialogApp({ onDismiss }: { onDismiss?: () => boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} onOpenChange={setOpen} title="New space" {...(onDismiss && { onDismiss })}>
        <Field label="Name">
          <Input />
        </Field>
      </Dialog>
    </>
  );
}

describe('a dialog', () => {
  it('gives the focus to its first field and back to the button', async () => {
    const screen = await render(<DialogApp />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByLabelText('Name')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('keeps the page behind it from scrolling and from moving', async () => {
    const screen = await render(
      <div style={{ height: '300vh' }}>
        <DialogApp />
      </div>,
    );
    const { body } = document;
    const { width } = screen.container.getBoundingClientRect();
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByRole('dialog')).toBeVisible();
    expect(getComputedStyle(body).overflowY).toBe('hidden');
    expect(screen.container.getBoundingClientRect().width).toBe(width);
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    expect(getComputedStyle(body).overflowY).toBe('visible');
    expect(screen.container.getBoundingClientRect().width).toBe(width);
  });

  it('keeps the focus inside', async () => {
    const screen = await render(<DialogApp />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByLabelText('Name')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(screen.getByLabelText('Name')).toHaveFocus();
  });

  it('stays open when closing would lose something', async () => {
    const onDismiss = vi.fn<() => boolean>(() => false);
    const screen = await render(<DialogApp onDismiss={onDismiss} />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByLabelText('Name')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(onDismiss).toHaveBeenCalledTimes(1);
    await expect.element(screen.getByRole('dialog')).toBeVisible();
  });

  it('opened from a menu gives the focus back to the button of the menu', async () => {
    function App() {
      const [open, setOpen] = useState(false);
      return (
        <MemoryRouter>
          <DropdownMenu
            trigger={<Button>More</Button>}
            entries={[{ label: 'Rename', run: () => setOpen(true) }]}
          />
          <Dialog open={open} onOpenChange={setOpen} title="Rename">
            <Input aria-label="New name" />
          </Dialog>
        </MemoryRouter>
      );
    }
    const screen = await render(<App />);
    await screen.getByRole('button', { name: 'More' }).click();
    await screen.getByRole('menuitem', { name: 'Rename' }).click();
    await expect.element(screen.getByLabelText('New name')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();
  });

  it('gives the focus back when a field inside took it before the dialog could', async () => {
    function Eager() {
      const field = useRef<HTMLInputElement>(null);
      useEffect(() => {
        field.current?.focus();
      }, []);
      return <input ref={field} aria-label="Eager" />;
    }
    function App() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <Button onClick={() => setOpen(true)}>Open</Button>
          <Dialog open={open} onOpenChange={setOpen} title="Tags">
            <Eager />
          </Dialog>
        </>
      );
    }
    const screen = await render(<App />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByLabelText('Eager')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('gives the focus to the page when what opened it is gone', async () => {
    function App() {
      const [open, setOpen] = useState(false);
      const [added, setAdded] = useState(false);
      const add = () => {
        setAdded(true);
        setOpen(false);
      };
      return (
        <main tabIndex={-1}>
          {!added && <Button onClick={() => setOpen(true)}>Add the first</Button>}
          <Dialog open={open} onOpenChange={setOpen} title="Add">
            <Button onClick={add}>Add</Button>
          </Dialog>
        </main>
      );
    }
    const screen = await render(<App />);
    await screen.getByRole('button', { name: 'Add the first' }).click();
    await screen.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  it('leaves the focus where a new page took it', async () => {
    function App() {
      const [place, setPlace] = useState<'here' | 'asking' | 'there'>('here');
      const heading = useRef<HTMLHeadingElement>(null);
      useEffect(() => {
        if (place === 'there') heading.current?.focus();
      }, [place]);
      return (
        <main tabIndex={-1}>
          <Button onClick={() => setPlace('asking')}>New</Button>
          <h1 ref={heading} tabIndex={-1}>
            {place}
          </h1>
          <Dialog open={place === 'asking'} onOpenChange={() => setPlace('here')} title="Create">
            <Button onClick={() => setPlace('there')}>Create</Button>
          </Dialog>
        </main>
      );
    }
    const screen = await render(<App />);
    await screen.getByRole('button', { name: 'New' }).click();
    await screen.getByRole('button', { name: 'Create' }).click();
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'there' })).toHaveFocus();
  });

  it('opened from another dialog gives the focus back to what opened the first', async () => {
    function App() {
      const [step, setStep] = useState<'first' | 'second'>();
      const close = () => setStep(undefined);
      return (
        <>
          <Button onClick={() => setStep('first')}>Begin</Button>
          <Dialog open={step === 'first'} onOpenChange={close} title="First">
            <Button onClick={() => setStep('second')}>Go on</Button>
          </Dialog>
          <Dialog open={step === 'second'} onOpenChange={close} title="Second">
            <Input aria-label="Name" />
          </Dialog>
        </>
      );
    }
    const screen = await render(<App />);
    await screen.getByRole('button', { name: 'Begin' }).click();
    await screen.getByRole('button', { name: 'Go on' }).click();
    await expect.element(screen.getByLabelText('Name')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Begin' })).toHaveFocus();
  });

  it('that confirms a deletion focuses Cancel first', async () => {
    const screen = await render(
      <ConfirmDialog open onOpenChange={vi.fn()} title="Delete?" confirm="Delete" onConfirm={vi.fn()}>
        12 memories leave.
      </ConfirmDialog>,
    );
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  });
});

/**
 * Holds every timer with one of the given delays, so that a slow machine cannot change the outcome: `pass` fires one of
 * them, `waits` returns which are pending.
 */
function holdTimers(...held: readonly number[]) {
  const { setTimeout: set, clearTimeout: clear } = window;
  const waiting = new Map<unknown, { run: () => void; ms: number }>();
  let last = -1;
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0): unknown => {
    if (!held.includes(ms)) return set(run, ms);
    last -= 1;
    waiting.set(last, { run, ms });
    return last;
  });
  vi.stubGlobal('clearTimeout', (id: number | undefined) => {
    if (!waiting.delete(id)) clear(id);
  });
  return {
    waits: () => [...waiting.values()].map(({ ms }) => ms),
    pass: (ms: number) => {
      const found = [...waiting].find(([, timer]) => timer.ms === ms);
      if (!found) throw new Error(`Nothing waits for ${ms} ms`);
      waiting.delete(found[0]);
      found[1].run();
    },
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a copy button', () => {
  it('copies and confirms it for 1500 ms', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const screen = await render(<CopyButton text="https://loci.example" label="Copy link" />);
    const timers = holdTimers(COPIED_RESET_MS);
    await screen.getByRole('button').click();
    expect(write.mock.calls).toEqual([['https://loci.example']]);
    await expect.element(screen.getByRole('button')).toHaveTextContent('Copied');
    await expect.poll(timers.waits).toEqual([1_500]);
    timers.pass(1_500);
    await expect.element(screen.getByRole('button')).toHaveTextContent('Copy link');
    write.mockRestore();
  });

  it('admits it when the browser refuses', async () => {
    const write = vi
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    const screen = await render(<CopyButton text="x" />);
    await screen.getByRole('button').click();
    await expect.element(screen.getByRole('button')).toHaveTextContent('Could not copy');
    write.mockRestore();
  });
});
