/** Markdown that is passed on leads nowhere but to the web, however an address is written; harmless text stays as it is. */
import { describe, expect, it } from 'vitest';
import { safeSource } from '#shared/markdown/safe-source.ts';
import { createParser } from '#shared/markdown/parser.ts';

/** Addresses of everything that a reader of the text could follow, definitions included. */
function addresses(source: string): string[] {
  const environment: { references?: Record<string, { href: string; title: string }> } = {};
  const html = createParser().render(source, environment);
  const drawn = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '');
  return [...drawn, ...Object.values(environment.references ?? {}).map(({ href }) => href)];
}

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
];
const FORMS: ((address: string) => string)[] = [
  (address) => `[x](${address})`,
  (address) => `[x]( ${address} "title")`,
  (address) => `[x](<${address}>)`,
  (address) => `![x](${address})`,
  (address) => `[x][r]\n\n[r]: ${address}`,
  (address) => `[x]\n\n[x]:\n   ${address}\n   'title'`,
  (address) => `> [r]: ${address}\n\n[r][]`,
  (address) => `- > [r]:\n  > ${address}\n\n[r]`,
  (address) => `<${address}>`,
  (address) => `[![x](${address})](${address})`,
  (address) => `# [x](${address})\n\n| [a](${address}) |\n| - |\n| [b](${address}) |`,
  (address) => `[^1]\n\n[^1]: [x](${address})`,
];
const SPELLINGS: ((address: string) => string)[] = [
  (address) => address,
  (address) => address.replace(/^./, (sign) => `&#${sign.charCodeAt(0)};`),
  (address) => address.replace(/^./, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  (address) => address.replace(':', '&colon;'),
  (address) => address.replace(':', '%3A'),
  (address) => address.replace(':', String.raw`\:`),
  (address) => `${address.slice(0, 3)}&Tab;${address.slice(3)}`,
  (address) => `${address.slice(0, 3)}&NewLine;${address.slice(3)}`,
  (address) => `\u0001${address}`,
  (address) => `${address.slice(0, 2)}\u0000${address.slice(2)}`,
];

describe('Markdown that is passed on', () => {
  it.each(
    SCHEMES.flatMap((scheme) => FORMS.flatMap((form) => SPELLINGS.map((spelling) => form(spelling(scheme))))),
  )('leads nowhere in %j', (source) => {
    const safe = safeSource(source);
    for (const address of addresses(safe)) expect(address).toMatch(/^(?:#|https?:|mailto:|$)/);
    expect(safe).not.toMatch(/(?<!\\)<|!\[/);
  });

  it.each([
    'Plain *words* with a [link](https://example.com/a_(b)) and `code`.\n\n- one\n- two\n\n[r]: https://example.com',
    'The scheme `javascript:` is only named, and javascript:alert(1) is no link.',
  ])('stays as it is without such an address: %j', (source) => {
    expect(safeSource(source)).toBe(source);
  });

  it('keeps the rest of a text that holds one', () => {
    expect(safeSource('**Look** [here](javascript:alert(1)) or [there](https://a.example/).')).toBe(
      '**Look** [here](#) or [there](https://a.example/).',
    );
  });
});
