// The table of pages: every address with layout, guard and where it is rendered. Router, server, service worker, sitemap and
// tests all read this table; addresses are listed nowhere else.

const LAYOUTS = ['auth', 'onboarding', 'docs', 'public', 'dashboard', 'default', 'empty'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** none = everyone; login = signed in with a workspace; session = signed in, onboarding may be unfinished. */
export type Guard = 'none' | 'session' | 'login';

export interface PageRow {
  /** react-router pattern. */
  path: string;
  layout: Layout;
  guard: Guard;
  /** ssr = rendered on the server for everyone; shell = the static app shell. */
  render: 'ssr' | 'shell';
  /** Listed in the sitemap unchanged (no parameters). */
  indexable?: true;
}

const AUTH = { layout: 'auth', guard: 'none', render: 'shell' } as const;
const ONBOARDING = { layout: 'onboarding', guard: 'session', render: 'shell' } as const;
const SITE = { layout: 'default', guard: 'none', render: 'ssr' } as const;
const DOCS = { layout: 'docs', guard: 'none', render: 'ssr' } as const;
const PUBLIC = { layout: 'public', guard: 'none', render: 'ssr' } as const;
const DASHBOARD = { layout: 'dashboard', guard: 'login', render: 'shell' } as const;

export const PAGES = {
  home: { path: '/', ...SITE, indexable: true },
  login: { path: '/login', ...AUTH },
  signup: { path: '/signup', ...AUTH },
  reset_password: { path: '/reset-password', ...AUTH },
  forgot_password: { path: '/forgot-password', ...AUTH },
  impersonate: { path: '/imp', ...AUTH },
  github_callback: { path: '/auth/github/callback', ...AUTH },
  google_callback: { path: '/auth/google/callback', ...AUTH },
  oauth_consent: { path: '/oauth/:id', ...ONBOARDING },
  onboarding: { path: '/onboarding', ...ONBOARDING },
  onboarding_profile: { path: '/onboarding/profile', ...ONBOARDING },
  verify_email: { path: '/onboarding/verify-email', ...ONBOARDING },
  create_workspace: { path: '/onboarding/create-workspace', ...ONBOARDING },
  accept_invite: { path: '/onboarding/invite', ...ONBOARDING },
  explore: { path: '/explore', ...SITE, indexable: true },
  pricing: { path: '/pricing', ...SITE, indexable: true },
  request_access: { path: '/request-access', ...SITE, indexable: true },
  blog: { path: '/blog', ...SITE, indexable: true },
  blog_post: { path: '/blog/:slug', ...SITE },
  docs: { path: '/docs', ...DOCS, indexable: true },
  docs_page: { path: '/docs/*', ...DOCS },
  public_workspace: { path: '/p/:workspace_slug', ...PUBLIC },
  public_space: { path: '/:workspace_slug/spaces/p/:space_slug', ...PUBLIC },
  public_memory: { path: '/:workspace_slug/spaces/p/:space_slug/:memory_id', ...PUBLIC },
  public_thread: { path: '/:workspace_slug/threads/p/:thread_id', ...PUBLIC },
  offline: { path: '/_offline', ...SITE },
  staff: { path: '/admin', layout: 'empty', guard: 'session', render: 'shell' },
  confirm_news: { path: '/_news', ...AUTH },
  unsubscribe: { path: '/_unsubscribe/:token', ...AUTH },
  share_target: { path: '/_share', layout: 'empty', guard: 'session', render: 'shell' },
  workspace_home: { path: '/:workspace_slug', ...DASHBOARD },
  capsule: { path: '/:workspace_slug/capsule', ...DASHBOARD },
  settings: { path: '/:workspace_slug/settings', ...DASHBOARD },
  settings_account: { path: '/:workspace_slug/settings/account', ...DASHBOARD },
  settings_keyboard: { path: '/:workspace_slug/settings/keyboard', ...DASHBOARD },
  settings_usage: { path: '/:workspace_slug/settings/usage', ...DASHBOARD },
  settings_members: { path: '/:workspace_slug/settings/members', ...DASHBOARD },
  settings_shares: { path: '/:workspace_slug/settings/shares', ...DASHBOARD },
  settings_api_keys: { path: '/:workspace_slug/settings/api-keys', ...DASHBOARD },
  settings_api_keys_new: { path: '/:workspace_slug/settings/api-keys/new', ...DASHBOARD },
  settings_apps: { path: '/:workspace_slug/settings/apps', ...DASHBOARD },
  settings_webhooks: { path: '/:workspace_slug/settings/webhooks', ...DASHBOARD },
  settings_import: { path: '/:workspace_slug/settings/import', ...DASHBOARD },
  settings_audit: { path: '/:workspace_slug/settings/audit', ...DASHBOARD },
  settings_notifications: { path: '/:workspace_slug/settings/notifications', ...DASHBOARD },
  threads: { path: '/:workspace_slug/threads', ...DASHBOARD },
  thread_new: { path: '/:workspace_slug/threads/new', ...DASHBOARD },
  thread: { path: '/:workspace_slug/threads/:thread_id', ...DASHBOARD },
  tags: { path: '/:workspace_slug/tags', ...DASHBOARD },
  spaces: { path: '/:workspace_slug/spaces', ...DASHBOARD },
  space: { path: '/:workspace_slug/spaces/:space_slug', ...DASHBOARD },
} as const satisfies Record<string, PageRow>;

export type PageName = keyof typeof PAGES;

/** A page that the server renders for everyone. */
export type PublicPageName = {
  [N in PageName]: (typeof PAGES)[N]['render'] extends 'ssr' ? N : never;
}[PageName];
/** A page of the application, which the browser draws into the shell. */
export type ShellPageName = Exclude<PageName, PublicPageName>;

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export type PageParams<N extends PageName> = Record<ParamNames<(typeof PAGES)[N]['path']>, string>;

/** The address of a page, parameters encoded. */
export function pathTo<N extends PageName>(name: N, params: PageParams<N>): string {
  const given: Record<string, string> = params;
  return PAGES[name].path.replace(/:(\w+)/g, (_match, key: string) => encodeURIComponent(given[key] ?? ''));
}
