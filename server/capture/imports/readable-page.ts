// The text of a page as an export has it: its product has already removed menus and advertisements.
import { CAPTURE } from '#shared/capture/limits.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { storable, type ImportItem } from './format.ts';

/** The page of a saved link from its HTML; one without text, or that cannot be read, is fetched. */
export async function readablePage(html: string | null): Promise<ImportItem['page']> {
  if (html === null) return 'fetch';
  // Loaded here, so that other imports start without it.
  const { markdownOf } = await import('./html-text.ts');
  try {
    const text = storable(markdownOf(html).slice(0, CAPTURE.pageTextMax));
    return text === '' ? 'fetch' : { text };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return 'fetch';
  }
}
