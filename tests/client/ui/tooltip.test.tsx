/** A tooltip inside a dialog, which keeps the focus: the two must not pull at it. */
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from '#client/ui/dialog.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { TooltipProvider } from '#client/ui/tooltip.tsx';

it('that closes as Tab goes on leaves the focus to what comes next in its dialog', async () => {
  const screen = await render(
    <TooltipProvider>
      <Dialog open onOpenChange={() => undefined} title="A memory">
        <Input aria-label="Title" />
        <IconButton label="Copy link" icon="C" />
        <IconButton label="Archive" icon="A" />
      </Dialog>
    </TooltipProvider>,
  );
  await expect.element(screen.getByLabelText('Title')).toHaveFocus();
  for (const name of ['Copy link', 'Archive']) {
    await userEvent.keyboard('{Tab}');
    await expect.element(screen.getByRole('button', { name })).toHaveFocus();
    await expect.element(screen.getByRole('tooltip', { name })).toBeInTheDocument();
  }
  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  await expect.element(screen.getByRole('tooltip')).not.toBeInTheDocument();
});
