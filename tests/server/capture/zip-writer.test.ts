import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createZip } from '#server/capture/exports/zip-writer.ts';

it('closes the file that is being added when its reader leaves, and takes no further one', async () => {
  const zip = createZip();
  const endless = new Readable({ read: () => endless.push(Buffer.alloc(16_384)) });
  const adding = zip.add('a', endless, new Date());
  // Awaited below; without this the rejection would be unhandled meanwhile.
  adding.catch(() => undefined);
  for await (const _bytes of zip.stream) break;
  await expect(adding).rejects.toThrow('no reader');
  expect(endless.destroyed).toBe(true);
  const next = Readable.from(['b']);
  await expect(zip.add('b', next, new Date())).rejects.toThrow('no reader');
  expect(next.destroyed).toBe(true);
});
