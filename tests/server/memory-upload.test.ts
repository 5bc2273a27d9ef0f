/** A text file that becomes a memory (X-Upload: file), and what is refused in words. */
import { describe, expect, it } from 'vitest';
import { FILES } from '#shared/capture/limits.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);

interface Given {
  bytes?: string | Uint8Array<ArrayBuffer>;
  name?: string;
  type?: string;
  payload?: unknown;
  headers?: Record<string, string>;
  by?: Cast['alice'];
}

async function upload({ bytes, name = 'note.md', type = '', payload = {}, headers, by = cast.alice }: Given) {
  const form = new FormData();
  form.set('payload', typeof payload === 'string' ? payload : JSON.stringify(full(payload)));
  if (bytes !== undefined) form.set('file', new Blob([bytes], { type }), name);
  const response = await fetch(`${world.url}/v1/memories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...(headers ?? { 'x-upload': 'file' }) },
    body: form,
  });
  return { status: response.status, json: await response.json() };
}

const full = (payload: unknown) => ({ workspaceId: cast.workspaceId, ...Object(payload) });

describe('a text file', () => {
  it('becomes a memory with title, tags and text, and keeps its name', async () => {
    const bytes = '---\ntags: [winter]\n---\n\n# Leek soup\n\nLeeks first.';
    const { status, json } = await upload({ bytes, name: 'soup.md', payload: { tags: ['kitchen'] } });
    expect(status).toBe(201);
    expect(json.result).toMatchObject({
      type: 'note',
      origin: 'upload',
      contentStatus: 'completed',
      filename: 'soup.md',
      title: 'Leek soup',
      notes: 'Leeks first.',
      tags: ['kitchen', 'winter'],
    });
  });

  it('takes words of the payload before its own, and its name where it has no heading', async () => {
    const named = await upload({ bytes: 'eggs', name: 'shopping-list.txt' });
    expect(named.json.result).toMatchObject({ title: 'shopping list', notes: 'eggs' });
    const given = await upload({ bytes: '# Own', payload: { title: 'Given', origin: 'camera' } });
    expect(given.json.result).toMatchObject({ title: 'Given', origin: 'camera' });
  });

  it('named as a page that is there already is brought into that memory', async () => {
    const url = 'https://example.com/uploaded';
    const first = await upload({ bytes: 'one', payload: { url } });
    const second = await upload({ bytes: 'two', payload: { url: `${url}#part` } });
    expect([first.status, second.status, second.json.meta.duplicate]).toEqual([201, 200, true]);
    expect(second.json.result.id).toBe(first.json.result.id);
  });
});

describe('an upload is refused', () => {
  it.each<[string, Given, number, string]>([
    ['for a program', { bytes: 'MZ', name: 'a.exe' }, 415, 'file: This kind'],
    ['for a drawing that can hold scripts', { bytes: '<svg/>', name: 'a.svg' }, 415, 'file: This kind'],
    ['for a page called a picture', { bytes: '<script>', name: 'a.png' }, 415, 'file: This kind'],
    ['for an archive called a PDF', { bytes: 'PK\u0003\u0004', name: 'a.pdf' }, 415, 'file: This kind'],
    ['for two kinds in one name', { bytes: '%PDF-', name: 'a.pdf.exe' }, 415, 'file: This kind'],
    ['without an extension', { bytes: '%PDF-', name: 'pdf' }, 415, 'file: This kind'],
    ['with NUL', { bytes: new Uint8Array([97, 0, 98]), name: 'a.md' }, 415, 'file: This kind'],
    ['of nothing', { bytes: '', name: 'a.pdf' }, 400, 'file: The file is empty'],
    [
      'with an address',
      { bytes: '%PDF-', name: 'a.pdf', payload: { url: 'https://a.example' } },
      400,
      'url: ',
    ],
    ['without a file', {}, 400, 'file: Send multipart/form-data'],
    ['larger than any file', { bytes: 'x'.repeat(FILES.maxBytes + 1) }, 413, 'file: larger than 25 MB'],
    ['with two texts', { bytes: 'x', payload: { notes: 'y' } }, 400, 'notes: The file is the text'],
    ['without its header', { bytes: 'x', headers: {} }, 400, 'file: Announce a file'],
    ['with a payload that is no JSON', { bytes: 'x', payload: '{' }, 400, 'payload: '],
    ['with an unknown origin', { bytes: 'x', payload: { origin: 'fax' } }, 400, 'origin: '],
  ])('%s', async (_what, given, status, words) => {
    const answer = await upload(given);
    expect([answer.status, answer.json.error?.detail]).toEqual([status, expect.stringContaining(words)]);
  });

  it('with the header and a JSON body', async () => {
    const body = { workspaceId: cast.workspaceId, title: 'x' };
    const headers = { 'x-upload': 'file' };
    const { status, json } = await cast.alice.raw('POST', '/v1/memories', { body, headers });
    expect([status, json?.error?.detail]).toEqual([400, expect.stringContaining('file: Send multipart')]);
  });
});
