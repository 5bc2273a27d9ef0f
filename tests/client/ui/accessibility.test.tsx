/** Every primitive, at rest and open, in light and dark: no accessibility fault that axe can find. */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Toaster } from '#client/shell/toaster.tsx';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { Sheet } from '#client/ui/sheet.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { Gallery } from '#tests/client/ui/gallery.tsx';

const nothing = () => undefined;

describe('in light and dark', () => {
  it('the primitives at rest have no fault', async () => {
    await render(<Gallery />);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('the primitives on a phone have no fault', async () => {
    await page.viewport(360, 740);
    await render(<Gallery />);
    expect(await accessibilityFaults()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
    await page.viewport(1280, 800);
  });

  it('an open menu with its submenu has no fault', async () => {
    const screen = await render(<Gallery />);
    await screen.getByRole('button', { name: 'More' }).click();
    await expect.element(screen.getByRole('menu')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
  });

  it('a dialog with a field has no fault', async () => {
    await render(
      <Dialog
        open
        onOpenChange={nothing}
        title="New space"
        description="A place for memories."
        actions={<Button>Create</Button>}
      >
        <Field label="Name" error="Required">
          <Input />
        </Field>
      </Dialog>,
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('a sheet has no fault', async () => {
    await render(
      <Sheet open onOpenChange={nothing} title="Notifications">
        <p className="text-ink-muted">Nothing new.</p>
      </Sheet>,
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('a question before deleting has no fault', async () => {
    await render(
      <ConfirmDialog
        open
        onOpenChange={nothing}
        title="Delete space?"
        confirm="Delete space"
        onConfirm={nothing}
      >
        12 memories leave this space. They stay in your workspace.
      </ConfirmDialog>,
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('toasts of every kind have no fault', async () => {
    const screen = await render(<Toaster />);
    showToast({ title: 'Link copied' });
    showToast({ title: 'Saved', kind: 'success', actions: [{ label: 'Undo', run: nothing }] });
    showToast({ title: 'Conflict', description: 'This name is taken', kind: 'warning' });
    showToast({ title: 'Unkown internal error', kind: 'error' });
    await expect.element(screen.getByText('Unkown internal error', { exact: true }).first()).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
