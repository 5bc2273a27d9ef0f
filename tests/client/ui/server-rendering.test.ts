/** Primitives and the light parts of the shell where there is no browser: they render, the same every time. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { ErrorPage } from '#client/shell/error-page.tsx';
import { RouteAnnouncer } from '#client/shell/route-announcer.tsx';
import { SkipLink } from '#client/shell/skip-link.tsx';
import { Gallery } from '#tests/client/ui/gallery.tsx';

it('every primitive renders without a browser', () => {
  const html = renderToString(createElement(Gallery));
  expect(html).toContain('New memory');
  expect(html).toContain('<time dateTime="2026-01-01T12:00:00.000Z"');
  expect(renderToString(createElement(Gallery))).toBe(html);
});

it('the shell of public pages renders without a browser', () => {
  const failure = { statusCode: 404, statusMessage: 'Not found', message: 'Page Not Found: /x' };
  const parts = [
    createElement(SkipLink, { key: 'skip' }),
    createElement(RouteAnnouncer, { key: 'announcer' }),
    createElement(ErrorPage, { key: 'error', failure }),
  ];
  const html = renderToString(createElement(MemoryRouter, null, parts));
  expect(html).toContain('Skip to content');
  expect(html).toContain('Back to home');
});
