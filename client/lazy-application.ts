// The way from the first script of a page to the application: at once, or in steps that nobody feels.
import { pause } from '#client/shell/quiet-moment.ts';

/** Files of the application, each after what it imports; none in development. */
function modulesOfThisPage(): string[] {
  const list = document.querySelector<HTMLMetaElement>('meta[name="modules"]')?.content ?? '';
  return list.split(' ').filter(Boolean);
}

/** Loads and starts it; resolves when the page answers to what its visitor does. */
export async function start(): Promise<void> {
  const { startApplication } = await import('#client/application.tsx');
  await startApplication();
  performance.mark('loci-started');
}

/** Fetches the files side by side and reads each in a task of its own, so that none is long. */
export async function startGently(): Promise<void> {
  const modules = modulesOfThisPage();
  for (const href of modules)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  for (const href of modules) {
    await import(/* @vite-ignore */ href);
    await pause();
  }
  await start();
}
