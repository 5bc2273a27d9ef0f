/** Menus in a real browser: focus, and presses while one is leaving. */
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MemoryRouter } from 'react-router';
import { Button } from '#client/ui/button.tsx';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

describe('a menu', () => {
  const ran: string[] = [];
  const entries: readonly MenuEntry[] = [
    { label: 'Edit', run: () => ran.push('edit') },
    false,
    { label: 'Archive', run: () => ran.push('archive'), disabled: true },
    { kind: 'line' },
    { label: 'Delete', tone: 'danger', run: () => ran.push('delete') },
  ];

  it('opens by right click on what it belongs to', async () => {
    ran.length = 0;
    const screen = await render(
      <MemoryRouter>
        <ContextMenu entries={entries}>
          <div>Card</div>
        </ContextMenu>
      </MemoryRouter>,
    );
    await screen.getByText('Card').click({ button: 'right' });
    await screen.getByRole('menuitem', { name: 'Edit' }).click();
    expect(ran).toEqual(['edit']);
  });

  it('inside a dialog gives the focus back to its button', async () => {
    const screen = await render(
      <MemoryRouter>
        <Dialog open onOpenChange={() => undefined} title="Viewer">
          <DropdownMenu trigger={<Button>More</Button>} entries={entries} />
        </Dialog>
      </MemoryRouter>,
    );
    const more = screen.getByRole('dialog').getByRole('button', { name: 'More' });
    await more.click();
    await expect.element(screen.getByRole('menu')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(more).toHaveFocus();
  });

  it('opens at a press on its button while it is still leaving', async () => {
    const entry: MenuEntry = { label: 'Edit', run: () => undefined };
    const screen = await render(
      <MemoryRouter>
        {/* It leaves so slowly that the press comes before its end on every machine. */}
        <style>{'[role="menu"][data-state="closed"] { animation-duration: 60s !important }'}</style>
        <DropdownMenu trigger={<Button>More</Button>} entries={[entry]} />
      </MemoryRouter>,
    );
    const more = screen.getByRole('button', { name: 'More' });
    await more.click();
    await screen.getByRole('menuitem', { name: 'Edit' }).click();
    await expect.element(screen.getByRole('menu')).toHaveAttribute('data-state', 'closed');
    await more.click();
    await expect.element(screen.getByRole('menu')).toHaveAttribute('data-state', 'open');
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus();
  });

  it('that was opened while another one leaves stays open', async () => {
    const entriesOf = (label: string): MenuEntry[] => [{ label, run: () => undefined }];
    const screen = await render(
      <MemoryRouter>
        {['First', 'Second'].map((name) => (
          <ContextMenu key={name} entries={entriesOf(`Open ${name}`)}>
            <button type="button" className="block">
              {name}
            </button>
          </ContextMenu>
        ))}
      </MemoryRouter>,
    );
    await screen.getByRole('button', { name: 'First' }).click({ button: 'right' });
    const leaving = screen.getByRole('menuitem', { name: 'Open First' });
    await expect.element(leaving).toBeVisible();
    const second = screen.getByRole('button', { name: 'Second' }).element();
    // The press arrives in the moment the first menu has gone and has not given the focus back: browsers prefer input.
    const gone = new MutationObserver(() => {
      if (leaving.elements().length > 0) return;
      gone.disconnect();
      second.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    });
    gone.observe(document.body, { childList: true, subtree: true });
    await userEvent.keyboard('{Escape}');
    const opened = screen.getByRole('menuitem', { name: 'Open Second' });
    await expect.element(opened).toHaveFocus();
    // The focus would come back in a timer that the first menu started as it went.
    await new Promise((resolve) => setTimeout(resolve));
    await expect.element(opened).toHaveFocus();
  });
});
