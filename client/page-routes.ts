/**
 * Pages of the application: name → title and module. Adding a page here is all the router needs beyond its row in
 * shared/pages.ts; `null` means the screen does not exist yet: its address shows not found.
 */
import type { ShellPageName } from '#shared/pages.ts';
import type { PageRoute } from '#client/page-route.ts';

export const pageRoutes: Record<ShellPageName, PageRoute | null> = {
  login: {
    title: 'Log in',
    load: () => import('#client/accounts/login-page.tsx').then((m) => m.LoginPage),
  },
  signup: {
    title: 'Sign up',
    load: () => import('#client/accounts/signup-page.tsx').then((m) => m.SignupPage),
  },
  reset_password: {
    title: 'Choose a new password',
    load: () => import('#client/accounts/reset-password-page.tsx').then((m) => m.ResetPasswordPage),
  },
  forgot_password: {
    title: 'Forgot password',
    load: () => import('#client/accounts/forgot-password-page.tsx').then((m) => m.ForgotPasswordPage),
  },
  unsubscribe: {
    title: 'Turn e-mails off',
    load: () => import('#client/accounts/unsubscribe-page.tsx').then((m) => m.UnsubscribePage),
  },
  impersonate: {
    title: 'Support',
    load: () => import('#client/accounts/impersonate-page.tsx').then((m) => m.ImpersonatePage),
  },
  staff: {
    title: 'Staff',
    load: () => import('#client/accounts/staff-page.tsx').then((m) => m.StaffPage),
  },
  github_callback: {
    title: 'Log in',
    load: () => import('#client/accounts/provider-callback-page.tsx').then((m) => m.GithubCallbackPage),
  },
  google_callback: {
    title: 'Log in',
    load: () => import('#client/accounts/provider-callback-page.tsx').then((m) => m.GoogleCallbackPage),
  },
  confirm_news: {
    title: 'Confirm your wish for news',
    load: () => import('#client/accounts/confirm-news-page.tsx').then((m) => m.ConfirmNewsPage),
  },
  oauth_consent: {
    title: 'Connect an app',
    load: () => import('#client/oauth/consent-page.tsx').then((m) => m.ConsentPage),
  },
  onboarding: {
    title: 'Welcome',
    load: () => import('#client/accounts/onboarding-page.tsx').then((m) => m.OnboardingPage),
  },
  onboarding_profile: {
    title: 'Your name',
    load: () => import('#client/accounts/profile-page.tsx').then((m) => m.ProfilePage),
  },
  verify_email: {
    title: 'Confirm your e-mail address',
    load: () => import('#client/accounts/verify-email-page.tsx').then((m) => m.VerifyEmailPage),
  },
  create_workspace: {
    title: 'Create workspace',
    load: () => import('#client/workspaces/create-workspace-page.tsx').then((m) => m.CreateWorkspacePage),
  },
  accept_invite: {
    title: 'Invitation',
    load: () => import('#client/accounts/accept-invite-page.tsx').then((m) => m.AcceptInvitePage),
  },
  share_target: {
    title: 'Save',
    load: () => import('#client/capture/share-page.tsx').then((m) => m.SharePage),
  },
  workspace_home: {
    title: 'Home',
    load: () => import('#client/memories/memories-page.tsx').then((m) => m.MemoriesPage),
  },
  capsule: {
    title: 'Capsule',
    load: () => import('#client/memories/capsule-page.tsx').then((m) => m.CapsulePage),
  },
  tags: {
    title: 'Tags',
    load: () => import('#client/memories/tags-page.tsx').then((m) => m.TagsPage),
  },
  settings: {
    title: 'Settings',
    load: () => import('#client/workspaces/settings-page.tsx').then((m) => m.SettingsPage),
  },
  settings_account: {
    title: 'Account',
    load: () => import('#client/workspaces/account-page.tsx').then((m) => m.AccountPage),
  },
  settings_keyboard: {
    title: 'Keyboard',
    load: () => import('#client/workspaces/keyboard-page.tsx').then((m) => m.KeyboardPage),
  },
  settings_usage: {
    title: 'Usage',
    load: () => import('#client/workspaces/usage-page.tsx').then((m) => m.UsagePage),
  },
  settings_members: {
    title: 'Members',
    load: () => import('#client/workspaces/members-page.tsx').then((m) => m.MembersPage),
  },
  settings_shares: {
    title: 'Shares',
    load: () => import('#client/workspaces/shares-page.tsx').then((m) => m.SharesPage),
  },
  settings_api_keys: {
    title: 'API keys',
    load: () => import('#client/workspaces/api-keys-page.tsx').then((m) => m.ApiKeysPage),
  },
  settings_api_keys_new: {
    title: 'New API key',
    load: () => import('#client/workspaces/api-keys-page.tsx').then((m) => m.NewApiKeyPage),
  },
  settings_apps: {
    title: 'Apps',
    load: () => import('#client/workspaces/apps-page.tsx').then((m) => m.AppsPage),
  },
  settings_webhooks: {
    title: 'Developers',
    load: () => import('#client/workspaces/developers-page.tsx').then((m) => m.DevelopersPage),
  },
  settings_import: {
    title: 'Import and export',
    load: () => import('#client/workspaces/import-page.tsx').then((m) => m.ImportPage),
  },
  settings_audit: {
    title: 'Audit log',
    load: () => import('#client/workspaces/audit-page.tsx').then((m) => m.AuditPage),
  },
  settings_notifications: {
    title: 'Notifications',
    load: () => import('#client/workspaces/notifications-page.tsx').then((m) => m.NotificationsPage),
  },
  threads: {
    title: 'Threads',
    load: () => import('#client/threads/threads-page.tsx').then((m) => m.ThreadsPage),
  },
  thread_new: {
    title: 'New thread',
    load: () => import('#client/threads/thread-page.tsx').then((m) => m.NewThreadPage),
  },
  thread: {
    title: 'Thread',
    load: () => import('#client/threads/thread-page.tsx').then((m) => m.ThreadPage),
  },
  spaces: {
    title: 'Spaces',
    load: () => import('#client/spaces/spaces-page.tsx').then((m) => m.SpacesPage),
  },
  space: {
    title: 'Space',
    load: () => import('#client/spaces/space-page.tsx').then((m) => m.SpacePage),
  },
};
