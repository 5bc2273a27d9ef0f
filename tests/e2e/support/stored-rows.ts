/** What a page's own database holds, read past the application. */
import type { Page } from '@playwright/test';

/** Every row of a table; none where there is no such database, which looking must not create. */
export function storedRows(page: Page, database: string, table: string): Promise<unknown[]> {
  return page.evaluate(
    async ([name, store]) => {
      const databases = await indexedDB.databases();
      if (!databases.some((known) => known.name === name)) return [];
      return new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('error', () => reject(opening.error ?? new Error(name)));
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction(store).objectStore(store).getAll();
          reading.addEventListener('error', () => reject(reading.error ?? new Error(store)));
          reading.addEventListener('success', () => {
            opening.result.close();
            resolve(reading.result);
          });
        });
      });
    },
    [database, table] as const,
  );
}
