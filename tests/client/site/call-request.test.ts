/** What the form of the API reference sends: from its texts to a request, or to the field that is wrong. */
import { expect, it } from 'vitest';
import { type FilledCall, requestFrom } from '#client/site/call-request.ts';
import { apiDescription } from '#shared/openapi/api-description.ts';
import { type ApiOperation, operationsOf } from '#shared/openapi/operations.ts';

const operations = operationsOf(apiDescription('https://loci.example'));

function operation(name: string): ApiOperation {
  const found = operations.find((each) => each.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
}

const filled = (given: Partial<FilledCall>): FilledCall => ({
  key: 'sk_key',
  params: {},
  query: {},
  body: '',
  file: undefined,
  ...given,
});

it('puts parameters, encoded, into path and query, leaves out what is empty, and sends no cookie', () => {
  const given = filled({
    params: { workspaceId: ' ws/1 ' },
    query: { perPage: '2', title: '', tags: 'a&b' },
  });
  expect(requestFrom(operation('memory.list'), given)).toEqual({
    path: '/v1/memories/ws%2F1?perPage=2&tags=a%26b',
    init: {
      method: 'GET',
      credentials: 'omit',
      redirect: 'error',
      headers: { accept: 'application/json, */*;q=0.5', authorization: 'Bearer sk_key' },
    },
  });
});

it.each([
  ['memory.list', { key: ' ', params: { workspaceId: 'ws_1' } }, 'key', 'Enter your API key.'],
  ['session.list', { key: '' }, 'key', 'Enter your session token.'],
  [
    'memory.list',
    { key: 'sk\u2011key', params: {} },
    'key',
    'A key has no spaces and no special characters.',
  ],
  ['memory.list', { params: { workspaceId: ' ' } }, 'params workspaceId', 'Enter workspaceId.'],
  ['memory.create', { body: '{"a": }' }, 'body', 'The body is not valid JSON: '],
  ['import.create', { body: '{}' }, 'file', 'Choose a file.'],
])('names what is wrong before %s is sent', (name, given, field, words) => {
  expect(requestFrom(operation(name), filled(given))).toEqual({
    field,
    words: expect.stringContaining(words),
  });
});

it('sends JSON as it was typed, a file as a form, and no key where none is needed', () => {
  const created = requestFrom(operation('memory.create'), filled({ body: '{ "title": "x" }' }));
  expect(created).toMatchObject({
    init: { body: '{ "title": "x" }', headers: { 'content-type': 'application/json' } },
  });
  const file = new File(['x'], 'notes.zip');
  const imported = requestFrom(operation('import.create'), filled({ body: '{"a":1}', file }));
  const form = 'init' in imported ? imported.init.body : undefined;
  if (!(form instanceof FormData)) throw new Error('The body is no form');
  expect([form.get('payload'), Object(form.get('file')).name]).toEqual(['{"a":1}', 'notes.zip']);
  const open = requestFrom(operation('visibility.list'), filled({ key: '' }));
  expect('init' in open && open.init.headers).toEqual({ accept: 'application/json, */*;q=0.5' });
});
