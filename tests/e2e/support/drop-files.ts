/** A drop from outside the browser, which no mouse of a test can make. */
import type { Page } from '@playwright/test';
import { expect } from './stories.ts';

/** What is dropped or pasted. */
interface GivenFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** The files as an event carries them. */
async function transferOf(page: Page, files: readonly GivenFile[]) {
  return page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      return data;
    },
    files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') })),
  );
}

/** Drops the files on the page; once, as soon as the page offers to take them: its code for that loads after the rest. */
export async function dropOnPage(page: Page, files: readonly GivenFile[]): Promise<void> {
  const dataTransfer = await transferOf(page, files);
  await expect
    .poll(async () => {
      await page.dispatchEvent('main', 'dragenter', { dataTransfer });
      return page.getByText('Drop to save', { exact: true }).isVisible();
    })
    .toBe(true);
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}
