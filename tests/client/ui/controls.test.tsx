/** Fields and controls in a real browser: their names, their descriptions, keys and files. */
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { DropZone } from '#client/ui/drop-zone.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { ResizeHandle } from '#client/ui/resize-handle.tsx';
import { Select } from '#client/ui/select.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

describe('a field', () => {
  it('ties its words to the control, the error in place of the hint', async () => {
    const screen = await render(
      <>
        <Field label="E-mail" hint="Never shown" error="Invalid email" required>
          <Input />
        </Field>
        <Field label="Name" hint="As others see it">
          <Textarea />
        </Field>
        <Field label="Position">
          <Select options={[{ value: 'admin', label: 'Admin' }]} />
        </Field>
      </>,
    );
    const email = screen.getByRole('textbox', { name: 'E-mail' });
    await expect.element(email).toHaveAccessibleDescription('Invalid email');
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await expect.element(screen.getByText('Never shown')).not.toBeInTheDocument();
    await expect
      .element(screen.getByRole('textbox', { name: 'Name' }))
      .toHaveAccessibleDescription('As others see it');
    await expect.element(screen.getByRole('combobox', { name: 'Position' })).toBeVisible();
  });
});

describe('a button', () => {
  it('that waits stays in the tab order and does nothing', async () => {
    const onClick = vi.fn<() => void>();
    const screen = await render(
      <Button loading onClick={onClick}>
        Save
      </Button>,
    );
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Save' })).toHaveFocus();
    expect(onClick).not.toHaveBeenCalled();
    await expect.element(screen.getByRole('button')).toHaveAttribute('aria-busy', 'true');
  });

  it('never submits a form by default', async () => {
    const onSubmit = vi.fn<(event: { preventDefault: () => void }) => void>((event) =>
      event.preventDefault(),
    );
    const screen = await render(
      <form onSubmit={onSubmit}>
        <Button>Other</Button>
        <Button type="submit">Send</Button>
      </form>,
    );
    await screen.getByRole('button', { name: 'Other' }).click();
    expect(onSubmit).not.toHaveBeenCalled();
    await screen.getByRole('button', { name: 'Send' }).click();
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });
});

describe('a choice', () => {
  it('by box and by switch is changed by a click on its words', async () => {
    function Both() {
      const [on, setOn] = useState(false);
      return (
        <>
          <Checkbox label="Notes" hint="With hint" checked={on} onCheckedChange={setOn} />
          <Switch label="Digest" checked={on} onCheckedChange={setOn} />
          <Checkbox label="Some" checked="mixed" onCheckedChange={setOn} />
        </>
      );
    }
    const screen = await render(<Both />);
    await screen.getByText('Notes').click();
    await expect.element(screen.getByRole('switch', { name: 'Digest' })).toBeChecked();
    await expect
      .element(screen.getByRole('checkbox', { name: 'Notes' }))
      .toHaveAccessibleDescription('With hint');
    await expect.element(screen.getByRole('checkbox', { name: 'Some' })).toBePartiallyChecked();
  });
});

describe('a drop zone', () => {
  const file = new File(['x'], 'note.md', { type: 'text/markdown' });

  it('takes files by the file dialog', async () => {
    const onFiles = vi.fn<(files: readonly File[]) => void>();
    const screen = await render(<DropZone label="Drop files" onFiles={onFiles} />);
    await userEvent.upload(screen.getByLabelText('Drop files'), file);
    expect(onFiles.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['note.md']);
  });

  it('takes files by dropping, and leaves dropped text alone', async () => {
    const onFiles = vi.fn<(files: readonly File[]) => void>();
    const screen = await render(<DropZone label="Drop files" onFiles={onFiles} />);
    const drop = (fill: (data: DataTransfer) => void) => {
      const dataTransfer = new DataTransfer();
      fill(dataTransfer);
      screen
        .getByLabelText('Drop files')
        .element()
        .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    };
    drop((data) => data.setData('text/plain', 'hello'));
    expect(onFiles).not.toHaveBeenCalled();
    drop((data) => data.items.add(file));
    expect(onFiles.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['note.md']);
  });
});

describe('a resize handle', () => {
  it('is moved by arrow keys within its limits, and by double clicks to the usual width and its limits', async () => {
    function Pane() {
      const [width, setWidth] = useState(240);
      return (
        <div className="relative h-20" style={{ width }}>
          <ResizeHandle label="Sidebar" value={width} initial={240} min={200} max={300} onResize={setWidth} />
        </div>
      );
    }
    const screen = await render(<Pane />);
    const handle = screen.getByRole('separator', { name: 'Sidebar' });
    await userEvent.keyboard('{Tab}{ArrowRight}');
    await expect.element(handle).toHaveAttribute('aria-valuenow', '256');
    await userEvent.keyboard('{End}{ArrowRight}');
    await expect.element(handle).toHaveAttribute('aria-valuenow', '300');
    await userEvent.keyboard('{Home}{ArrowLeft}');
    await expect.element(handle).toHaveAttribute('aria-valuenow', '200');
    for (const width of ['240', '300', '200']) {
      await handle.dblClick();
      await expect.element(handle).toHaveAttribute('aria-valuenow', width);
    }
  });
});
