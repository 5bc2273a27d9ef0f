// The table of pages: every address with layout, guard and where it is rendered. Router,
// server, service worker, sitemap and tests all read this table; nothing else lists addresses.

export const LAYOUTS = ['auth', 'onboarding', 'docs', 'public', 'dashboard', 'default', 'empty'] as const;
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
  /** Listed in the sitemap as it stands (no parameters). */
  indexable?: true;
}

export const PAGES = {
  home: { path: '/', layout: 'default', guard: 'none', render: 'ssr', indexable: true },
  login: { path: '/login', layout: 'auth', guard: 'none', render: 'shell' },
  signup: { path: '/signup', layout: 'auth', guard: 'none', render: 'shell' },
  reset_password: { path: '/reset-password', layout: 'auth', guard: 'none', render: 'shell' },
  forgot_password: { path: '/forgot-password', layout: 'auth', guard: 'none', render: 'shell' },
  impersonate: { path: '/imp', layout: 'auth', guard: 'none', render: 'shell' },
  github_callback: { path: '/auth/github/callback', layout: 'auth', guard: 'none', render: 'shell' },
  google_callback: { path: '/auth/google/callback', layout: 'auth', guard: 'none', render: 'shell' },
  oauth_consent: { path: '/oauth/:id', layout: 'onboarding', guard: 'session', render: 'shell' },
  onboarding: { path: '/onboarding', layout: 'onboarding', guard: 'session', render: 'shell' },
  onboarding_profile: {
    path: '/onboarding/profile',
    layout: 'onboarding',
    guard: 'session',
    render: 'shell',
  },
  verify_email: { path: '/onboarding/verify-email', layout: 'onboarding', guard: 'session', render: 'shell' },
  create_workspace: {
    path: '/onboarding/create-workspace',
    layout: 'onboarding',
    guard: 'session',
    render: 'shell',
  },
  accept_invite: { path: '/onboarding/invite', layout: 'onboarding', guard: 'session', render: 'shell' },
  explore: { path: '/explore', layout: 'default', guard: 'none', render: 'ssr', indexable: true },
  pricing: { path: '/pricing', layout: 'default', guard: 'none', render: 'ssr', indexable: true },
  request_access: {
    path: '/request-access',
    layout: 'default',
    guard: 'none',
    render: 'ssr',
    indexable: true,
  },
  blog: { path: '/blog', layout: 'default', guard: 'none', render: 'ssr', indexable: true },
  blog_post: { path: '/blog/:slug', layout: 'default', guard: 'none', render: 'ssr' },
  docs: { path: '/docs', layout: 'docs', guard: 'none', render: 'ssr', indexable: true },
  docs_page: { path: '/docs/*', layout: 'docs', guard: 'none', render: 'ssr' },
  public_workspace: { path: '/p/:workspace_slug', layout: 'public', guard: 'none', render: 'ssr' },
  public_space: {
    path: '/:workspace_slug/spaces/p/:space_slug',
    layout: 'public',
    guard: 'none',
    render: 'ssr',
  },
  public_memory: {
    path: '/:workspace_slug/spaces/p/:space_slug/:memory_id',
    layout: 'public',
    guard: 'none',
    render: 'ssr',
  },
  public_thread: {
    path: '/:workspace_slug/threads/p/:thread_id',
    layout: 'public',
    guard: 'none',
    render: 'ssr',
  },
  offline: { path: '/_offline', layout: 'default', guard: 'none', render: 'ssr' },
  staff: { path: '/admin', layout: 'empty', guard: 'session', render: 'shell' },
  confirm_news: { path: '/_news', layout: 'auth', guard: 'none', render: 'shell' },
  unsubscribe: { path: '/_unsubscribe/:token', layout: 'auth', guard: 'none', render: 'shell' },
  share_target: { path: '/_share', layout: 'empty', guard: 'session', render: 'shell' },
  workspace_home: { path: '/:workspace_slug', layout: 'dashboard', guard: 'login', render: 'shell' },
  capsule: { path: '/:workspace_slug/capsule', layout: 'dashboard', guard: 'login', render: 'shell' },
  settings: { path: '/:workspace_slug/settings', layout: 'dashboard', guard: 'login', render: 'shell' },
  settings_account: {
    path: '/:workspace_slug/settings/account',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_usage: {
    path: '/:workspace_slug/settings/usage',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_members: {
    path: '/:workspace_slug/settings/members',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_shares: {
    path: '/:workspace_slug/settings/shares',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_api_keys: {
    path: '/:workspace_slug/settings/api-keys',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_api_keys_new: {
    path: '/:workspace_slug/settings/api-keys/new',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_apps: {
    path: '/:workspace_slug/settings/apps',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_webhooks: {
    path: '/:workspace_slug/settings/webhooks',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_feeds: {
    path: '/:workspace_slug/settings/feeds',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_audit: {
    path: '/:workspace_slug/settings/audit',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  settings_notifications: {
    path: '/:workspace_slug/settings/notifications',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  threads: { path: '/:workspace_slug/threads', layout: 'dashboard', guard: 'login', render: 'shell' },
  thread_new: { path: '/:workspace_slug/threads/new', layout: 'dashboard', guard: 'login', render: 'shell' },
  thread: {
    path: '/:workspace_slug/threads/:thread_id',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
  tags: { path: '/:workspace_slug/tags', layout: 'dashboard', guard: 'login', render: 'shell' },
  spaces: { path: '/:workspace_slug/spaces', layout: 'dashboard', guard: 'login', render: 'shell' },
  space: {
    path: '/:workspace_slug/spaces/:space_slug',
    layout: 'dashboard',
    guard: 'login',
    render: 'shell',
  },
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
