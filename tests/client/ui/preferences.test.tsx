/** What readers and their devices ask for is respected: less motion, more contrast, forced colours, a finger. */
import { afterEach, describe, expect, it } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { Gallery } from '#tests/client/ui/gallery.tsx';

async function prefer(name: string, value: string): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value }] });
}

async function touch(enabled: boolean): Promise<void> {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled });
}

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

afterEach(async () => {
  await cdp().send('Emulation.setEmulatedMedia', { features: [] });
});

describe('with less motion', () => {
  it('every duration is zero and nothing repeats', async () => {
    await prefer('prefers-reduced-motion', 'no-preference');
    expect(token('--time-base')).toBe('150ms');
    await prefer('prefers-reduced-motion', 'reduce');
    expect(['--time-fast', '--time-base', '--time-slow'].map(token)).toEqual(['0ms', '0ms', '0ms']);
    await render(<Skeleton className="h-4" />);
    expect(document.getAnimations().filter((animation) => animation.playState === 'running')).toEqual([]);
  });
});

describe('with more contrast', () => {
  it.each(['light', 'dark'])('lines and quiet text are stronger in %s mode', async (mode) => {
    document.documentElement.classList.toggle('dark', mode === 'dark');
    const usual = [token('--line'), token('--ink-faint')];
    await prefer('prefers-contrast', 'more');
    expect(token('--line')).not.toBe(usual[0]);
    expect(token('--ink-faint')).not.toBe(usual[1]);
    await render(<Gallery />);
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('with forced colours', () => {
  it('buttons have an edge and the focus is visible', async () => {
    await prefer('forced-colors', 'active');
    const screen = await render(<Button variant="ghost">Quiet</Button>);
    const button = screen.getByRole('button').element();
    expect(getComputedStyle(button).borderTopStyle).toBe('solid');
    await userEvent.keyboard('{Tab}');
    expect(getComputedStyle(button).outlineStyle).toBe('solid');
  });
});

it('hints at no keys where a finger is the pointer, but in the list of shortcuts', async () => {
  const screen = await render(
    <>
      <Kbd keys="g h" />
      <Kbd keys="$mod+k" onTouch />
    </>,
  );
  const shown = () => [...screen.container.children].map((hint) => hint.checkVisibility());
  expect(shown()).toEqual([true, true]);
  await touch(true);
  await expect.poll(shown).toEqual([false, true]);
  await touch(false);
});

it('shows in forced colours only the marks of boxes that are on', async () => {
  await prefer('forced-colors', 'active');
  const screen = await render(
    ([true, 'mixed', false] as const).map((checked) => (
      <Checkbox
        key={String(checked)}
        label={String(checked)}
        checked={checked}
        onCheckedChange={() => undefined}
      />
    )),
  );
  const marks = [...screen.container.querySelectorAll('svg')].map((mark) => getComputedStyle(mark));
  const seen = marks.map(
    ({ visibility, color, backgroundColor }) =>
      visibility === 'visible' && color !== backgroundColor && color !== 'rgba(0, 0, 0, 0)',
  );
  expect(seen).toEqual([true, true, false]);
});
