// Page name → route module, one line each. Adding a page here is all the router needs beyond its row in shared/pages.ts;
// `null` means the screen does not exist yet: its address answers not found.
import type { PageName } from '#shared/pages.ts';
import { page, type PageRoute } from '#client/page-route.ts';
import * as site from '#client/site/site-pages.ts';
import { publicSpaceMeta } from '#client/spaces/public-meta.ts';
import { publicThreadMeta } from '#client/threads/public-thread-meta.ts';
import { publicWorkspaceMeta } from '#client/workspaces/public-workspace-meta.ts';

export const pageRoutes: Record<PageName, PageRoute | null> = {
  home: page({
    source: 'site/home-page.tsx',
    load: () => import('#client/site/home-page.tsx').then((m) => m.HomePage),
    ...site.homePage,
  }),
  login: page({
    source: 'accounts/login-page.tsx',
    load: () => import('#client/accounts/login-page.tsx').then((m) => m.LoginPage),
    meta: () => ({ title: 'Log in', noindex: true }),
  }),
  signup: page({
    source: 'accounts/signup-page.tsx',
    load: () => import('#client/accounts/signup-page.tsx').then((m) => m.SignupPage),
    meta: () => ({ title: 'Sign up', noindex: true }),
  }),
  reset_password: null,
  forgot_password: null,
  impersonate: null,
  github_callback: null,
  google_callback: null,
  oauth_consent: null,
  onboarding: page({
    source: 'accounts/onboarding-page.tsx',
    load: () => import('#client/accounts/onboarding-page.tsx').then((m) => m.OnboardingPage),
    meta: () => ({ title: 'Welcome', noindex: true }),
  }),
  onboarding_profile: page({
    source: 'accounts/profile-page.tsx',
    load: () => import('#client/accounts/profile-page.tsx').then((m) => m.ProfilePage),
    meta: () => ({ title: 'Your name', noindex: true }),
  }),
  verify_email: page({
    source: 'accounts/onboarding-page.tsx',
    load: () => import('#client/accounts/onboarding-page.tsx').then((m) => m.OnboardingPage),
    meta: () => ({ title: 'Welcome', noindex: true }),
  }),
  create_workspace: page({
    source: 'workspaces/create-workspace-page.tsx',
    load: () => import('#client/workspaces/create-workspace-page.tsx').then((m) => m.CreateWorkspacePage),
    meta: () => ({ title: 'Create workspace', noindex: true }),
  }),
  explore: page({
    source: 'site/explore-page.tsx',
    load: () => import('#client/site/explore-page.tsx').then((m) => m.ExplorePage),
    ...site.explorePage,
  }),
  pricing: page({
    source: 'site/pricing-page.tsx',
    load: () => import('#client/site/pricing-page.tsx').then((m) => m.PricingPage),
    ...site.pricingPage,
  }),
  request_access: page({
    source: 'site/request-access-page.tsx',
    load: () => import('#client/site/request-access-page.tsx').then((m) => m.RequestAccessPage),
    ...site.requestAccessPage,
  }),
  blog: page({
    source: 'site/blog-page.tsx',
    load: () => import('#client/site/blog-page.tsx').then((m) => m.BlogPage),
    ...site.blogPage,
  }),
  blog_post: page({
    source: 'site/blog-post-page.tsx',
    load: () => import('#client/site/blog-post-page.tsx').then((m) => m.BlogPostPage),
    ...site.blogPostPage,
  }),
  docs: page({
    source: 'site/docs-page.tsx',
    load: () => import('#client/site/docs-page.tsx').then((m) => m.DocsPage),
    ...site.docsPage,
  }),
  docs_page: page({
    source: 'site/docs-page.tsx',
    load: () => import('#client/site/docs-page.tsx').then((m) => m.DocsPage),
    ...site.docsPage,
  }),
  public_workspace: page({
    source: 'workspaces/public-workspace-page.tsx',
    load: () => import('#client/workspaces/public-workspace-page.tsx').then((m) => m.PublicWorkspacePage),
    loader: async (args) =>
      (await import('#client/workspaces/public-workspace-data.ts')).loadPublicWorkspace(args),
    meta: publicWorkspaceMeta,
  }),
  public_space: page({
    source: 'spaces/public-space-page.tsx',
    load: () => import('#client/spaces/public-space-page.tsx').then((m) => m.PublicSpacePage),
    loader: async (args) => (await import('#client/spaces/public-data.ts')).loadPublicSpace(args),
    meta: publicSpaceMeta,
  }),
  public_thread: page({
    source: 'threads/public-thread-page.tsx',
    load: () => import('#client/threads/public-thread-page.tsx').then((m) => m.PublicThreadPage),
    loader: async (args) => (await import('#client/threads/public-thread-data.ts')).loadPublicThread(args),
    meta: publicThreadMeta,
  }),
  share_target: page({
    source: 'capture/share-page.tsx',
    load: () => import('#client/capture/share-page.tsx').then((m) => m.SharePage),
    meta: () => ({ title: 'Save', noindex: true }),
  }),
  workspace_home: page({
    source: 'memories/memories-page.tsx',
    load: () => import('#client/memories/memories-page.tsx').then((m) => m.MemoriesPage),
    meta: () => ({ title: 'Home', noindex: true }),
  }),
  capsule: page({
    source: 'memories/capsule-page.tsx',
    load: () => import('#client/memories/capsule-page.tsx').then((m) => m.CapsulePage),
    meta: () => ({ title: 'Capsule', noindex: true }),
  }),
  settings: page({
    source: 'workspaces/settings-page.tsx',
    load: () => import('#client/workspaces/settings-page.tsx').then((m) => m.SettingsPage),
    meta: () => ({ title: 'Settings', noindex: true }),
  }),
  settings_usage: page({
    source: 'workspaces/usage-page.tsx',
    load: () => import('#client/workspaces/usage-page.tsx').then((m) => m.UsagePage),
    meta: () => ({ title: 'Usage', noindex: true }),
  }),
  settings_members: page({
    source: 'workspaces/members-page.tsx',
    load: () => import('#client/workspaces/members-page.tsx').then((m) => m.MembersPage),
    meta: () => ({ title: 'Members', noindex: true }),
  }),
  settings_api_keys: null,
  settings_api_keys_new: null,
  settings_notifications: null,
  threads: page({
    source: 'threads/threads-page.tsx',
    load: () => import('#client/threads/threads-page.tsx').then((m) => m.ThreadsPage),
    meta: () => ({ title: 'Threads', noindex: true }),
  }),
  thread_new: page({
    source: 'threads/thread-page.tsx',
    load: () => import('#client/threads/thread-page.tsx').then((m) => m.NewThreadPage),
    meta: () => ({ title: 'New thread', noindex: true }),
  }),
  thread: page({
    source: 'threads/thread-page.tsx',
    load: () => import('#client/threads/thread-page.tsx').then((m) => m.ThreadPage),
    meta: () => ({ title: 'Thread', noindex: true }),
  }),
  spaces: page({
    source: 'spaces/spaces-page.tsx',
    load: () => import('#client/spaces/spaces-page.tsx').then((m) => m.SpacesPage),
    meta: () => ({ title: 'Spaces', noindex: true }),
  }),
  space: page({
    source: 'spaces/space-page.tsx',
    load: () => import('#client/spaces/space-page.tsx').then((m) => m.SpacePage),
    meta: () => ({ title: 'Space', noindex: true }),
  }),
};
