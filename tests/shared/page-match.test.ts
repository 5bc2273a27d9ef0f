/** Which page a path names; the rules that server, service worker and sitemap share. */
import { describe, expect, it } from 'vitest';
import { matchPage } from '#shared/page-match.ts';

describe('matchPage', () => {
  it.each([
    ['/', 'home'],
    ['/docs', 'docs'],
    ['/docs/spaces', 'docs_page'],
    ['/docs/api/reference/spaces', 'docs_page'],
    ['/blog/why', 'blog_post'],
    ['/acme', 'workspace_home'],
    ['/acme/', 'workspace_home'],
    ['/acme/threads/new', 'thread_new'],
    ['/acme/threads/thrd_abc', 'thread'],
    ['/acme/spaces/p/reading', 'public_space'],
    ['/acme/spaces/reading', 'space'],
    ['/p/acme', 'public_workspace'],
  ])('%s is %s', (path, name) => {
    expect(matchPage(path)?.name).toBe(name);
  });

  it.each(['/feed', '/Acme', '/a', '/-acme', '/acme--x', '/acme/nothing', '/.well-known', '/og'])(
    '%s is no page',
    (path) => {
      expect(matchPage(path)).toBeUndefined();
    },
  );

  it('decodes parameters and survives broken encodings', () => {
    expect(matchPage('/blog/a%20b')?.params).toEqual({ slug: 'a b' });
    expect(matchPage('/blog/%E0%A4%A')?.name).toBe('blog_post');
  });
});
