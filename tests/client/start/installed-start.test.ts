/** The manifest of the installed application says what the rest of the code says. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { FILE_KINDS } from '#shared/capture/file-kinds.ts';
import { INSTALLED_START } from '#shared/constants.ts';

const MANIFEST = path.resolve(import.meta.dirname, '../../../client/public/manifest.webmanifest');
const manifest = z
  .object({
    start_url: z.string(),
    share_target: z.object({
      params: z.object({ files: z.tuple([z.object({ accept: z.array(z.string()) })]) }),
    }),
    file_handlers: z.tuple([z.object({ accept: z.record(z.string(), z.array(z.string())) })]),
  })
  .parse(JSON.parse(readFileSync(MANIFEST, 'utf8')));

it('starts at the address under which the snapshot of the home list is stored', () => {
  expect(manifest.start_url).toBe(INSTALLED_START);
});

it('takes every kind of file that can be saved, and archives to import, from the system and from other applications', () => {
  const taken: Record<string, string[]> = { 'application/zip': ['.zip'] };
  for (const { mediaType, extensions } of Object.values(FILE_KINDS))
    (taken[mediaType] ??= []).push(...extensions.map((extension) => `.${extension}`));
  expect(manifest.file_handlers[0].accept).toEqual(taken);
  expect(manifest.share_target.params.files[0].accept.toSorted()).toEqual(Object.keys(taken).toSorted());
});
