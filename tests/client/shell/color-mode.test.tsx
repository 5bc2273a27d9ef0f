/** Light and dark in a real browser: no flash, remembered, the same in all tabs. */
import { afterEach, describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { COOKIES } from '#shared/constants.ts';
import { COLOR_MODE_KEY, FIRST_PAINT_SCRIPT, THEME_COLORS } from '#client/shell/first-paint-script.ts';
import { setColorMode, toggleColorMode, watchColorMode } from '#client/shell/color-mode.ts';
import { useColorMode } from '#client/shell/use-color-mode.ts';

const isDark = () => document.documentElement.classList.contains('dark');
let stop: (() => void) | undefined;

function addThemeMeta(): HTMLMetaElement {
  const meta = document.createElement('meta');
  meta.name = 'theme-color';
  document.head.append(meta);
  return meta;
}

function runInline(): void {
  const script = document.createElement('script');
  script.textContent = FIRST_PAINT_SCRIPT;
  document.head.append(script);
  script.remove();
}

afterEach(() => {
  stop?.();
  stop = undefined;
  document.querySelector('meta[name="theme-color"]')?.remove();
});

describe('the inline script', () => {
  it('paints the stored mode before anything else runs', () => {
    const meta = addThemeMeta();
    localStorage.setItem(COLOR_MODE_KEY, 'dark');
    runInline();
    expect([isDark(), meta.content]).toEqual([true, THEME_COLORS.dark]);
    localStorage.setItem(COLOR_MODE_KEY, 'light');
    runInline();
    expect([isDark(), meta.content]).toEqual([false, THEME_COLORS.light]);
  });

  it('marks the document of a person with a session, and only then', () => {
    const isMarked = () => document.documentElement.hasAttribute('data-signed-in');
    runInline();
    expect(isMarked()).toBe(false);
    document.cookie = `${COOKIES.session}=token; Path=/`;
    runInline();
    expect(isMarked()).toBe(true);
    document.cookie = `${COOKIES.session}=; Path=/; Max-Age=0`;
    document.cookie = `not_${COOKIES.session}=token; Path=/`;
    runInline();
    expect(isMarked()).toBe(false);
  });

  it('cannot end its own element', () => {
    expect(FIRST_PAINT_SCRIPT).not.toContain('<');
  });
});

describe('the colour mode', () => {
  it('is remembered, and forgotten again when it follows the system', () => {
    stop = watchColorMode();
    setColorMode('dark');
    expect([isDark(), localStorage.getItem(COLOR_MODE_KEY)]).toEqual([true, 'dark']);
    setColorMode('system');
    expect([isDark(), localStorage.getItem(COLOR_MODE_KEY)]).toEqual([false, null]);
  });

  it('turns into its opposite', () => {
    stop = watchColorMode();
    toggleColorMode();
    expect(isDark()).toBe(true);
    toggleColorMode();
    expect(isDark()).toBe(false);
  });

  it('follows another tab', async () => {
    function Shown() {
      return <p>{useColorMode().mode}</p>;
    }
    stop = watchColorMode();
    const screen = await render(<Shown />);
    await expect.element(screen.getByText('system')).toBeVisible();
    localStorage.setItem(COLOR_MODE_KEY, 'dark');
    globalThis.dispatchEvent(new StorageEvent('storage', { key: COLOR_MODE_KEY, newValue: 'dark' }));
    await expect.element(screen.getByText('dark')).toBeVisible();
    expect(isDark()).toBe(true);
  });

  it('sets the theme colour of the browser', () => {
    const meta = addThemeMeta();
    stop = watchColorMode();
    setColorMode('dark');
    expect(meta.content).toBe(THEME_COLORS.dark);
    setColorMode('light');
    expect(meta.content).toBe(THEME_COLORS.light);
  });
});
