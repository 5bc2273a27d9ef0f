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

it('holds little of what it writes, however large its files are', async () => {
  const zip = createZip();
  const [piece, pieces] = [Buffer.alloc(16_384), 1_000];
  let given = 0;
  const large = () => {
    let left = pieces;
    return new Readable({
      read() {
        given += left > 0 ? piece.length : 0;
        this.push(left > 0 ? piece : null);
        left -= 1;
      },
    });
  };
  const adding = (async () => {
    for (const path of ['a', 'b', 'c']) await zip.add(path, large(), new Date());
    zip.end();
  })();
  let [read, mostHeld] = [0, 0];
  for await (const bytes of zip.stream) {
    read += (bytes as Buffer).length;
    mostHeld = Math.max(mostHeld, given - read);
    // A reader that is slower than the files.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await adding;
  expect(given).toBe(3 * pieces * piece.length);
  expect(read).toBeGreaterThan(given);
  expect(mostHeld).toBeLessThan(1_000_000);
});
