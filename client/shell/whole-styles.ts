/** The stylesheet of the application on a public page, which has only its own styles: for parts rendered on demand. */

let loading: Promise<void> | undefined;

/** Without its fonts: the page has declared them, and a second declaration would draw the text anew and move it. */
async function load(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="styles"]')?.content;
  if (!href) return;
  const text = await (await fetch(href)).text();
  const style = document.createElement('style');
  style.textContent = text.replace(/@font-face\{[^}]*\}/g, '');
  document.head.append(style);
}

/** Once; resolves when the styles hold. @throws when they cannot be fetched */
export function loadWholeStyles(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
