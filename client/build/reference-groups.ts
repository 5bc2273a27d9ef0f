// The pages of the API reference: the groups of calls and their headings.

export interface ReferenceGroup {
  /** Last part of the page's address. */
  name: string;
  label: string;
  description: string;
  /** Kind of a call → its heading. A kind without one stops the build. */
  sections: Record<string, string>;
  /** Heading of the calls that follow external standards. */
  protocol?: string;
}

/** Every kind of call is in one of them. */
export const REFERENCE_GROUPS: readonly ReferenceGroup[] = [
  {
    name: 'accounts',
    label: 'Accounts',
    description: 'Signing up and in, and one’s own account.',
    sections: { account: 'Accounts', auth: 'Accounts' },
  },
  {
    name: 'credentials',
    label: 'Sessions and keys',
    description: 'Sessions, passkeys, the second factor, and API keys.',
    sections: {
      session: 'Sessions',
      passkey: 'Passkeys',
      second_factor: 'Second factor',
      api_key: 'API keys',
    },
  },
  {
    name: 'oauth',
    label: 'OAuth',
    description: 'Authorization requests, tokens, discovery, connected apps, and OAuth clients.',
    sections: {
      oauth: 'Authorization',
      oauth_client: 'OAuth clients',
      public_client: 'OAuth clients',
      connected_app: 'Connected apps',
    },
    protocol: 'OAuth and OpenID Connect',
  },
  {
    name: 'workspaces',
    label: 'Workspaces',
    description: 'Workspaces, their members, invites, and the audit log.',
    sections: {
      workspace: 'Workspaces',
      workspace_member: 'Workspace members',
      invite: 'Invites',
      public_invite: 'Invites',
      audit: 'Audit log',
    },
  },
  {
    name: 'memories',
    label: 'Memories',
    description: 'Saving, reading, searching and tagging memories.',
    sections: { memory: 'Memories', tag: 'Memories' },
  },
  {
    name: 'files',
    label: 'Files',
    description: 'Files of memories, and large ones in parts.',
    sections: { file: 'Files', upload: 'Files in parts' },
  },
  {
    name: 'archives',
    label: 'Import and export',
    description: 'Archives that are read into a workspace, and those that it is written into.',
    sections: { import: 'Import', export: 'Export' },
  },
  {
    name: 'feeds',
    label: 'Feeds and e-mail',
    description: 'Feeds whose articles are saved, and the address to which mails are sent to be saved.',
    sections: { feed: 'Feeds', mail_address: 'Saving by e-mail' },
  },
  {
    name: 'spaces',
    label: 'Spaces',
    description: 'Spaces, what stands in them, and who may read it.',
    sections: {
      space: 'Spaces',
      visibility: 'Spaces',
      share: 'Shares',
      space_memory: 'Space-memory links',
    },
  },
  {
    name: 'threads',
    label: 'Threads',
    description: 'Threads and their messages.',
    sections: { thread: 'Threads', message: 'Messages', answering: 'Answers', answering_settings: 'Answers' },
  },
  {
    name: 'public',
    label: 'Public pages',
    description: 'What can be read and searched without an account.',
    sections: {
      public_memory: 'Public memories',
      public_space: 'Public spaces',
      public_workspace: 'Public workspaces',
    },
  },
  {
    name: 'public-threads',
    label: 'Public threads',
    description: 'What visitors read, ask and rate in threads without an account.',
    sections: { public_message: 'Public messages', public_thread: 'Public threads' },
  },
  {
    name: 'staff',
    label: 'Running a server',
    description:
      'For those who run a server: reports, product news, requests for access, and viewing an account.',
    sections: {
      impersonation: 'Viewing an account',
      staff: 'Staff',
      report: 'Reports',
      news: 'Product news',
      access_request: 'Early access',
    },
  },
  {
    name: 'webhooks',
    label: 'Changes and webhooks',
    description: 'Changes of a workspace: to be asked for, and to be sent to an address.',
    sections: { change: 'Changes', webhook: 'Webhooks', webhook_delivery: 'Deliveries' },
  },
  {
    name: 'more',
    label: 'Everything else',
    description: 'Notifications and push messages, scopes, avatars and the newsletter.',
    sections: {
      notification: 'Notifications',
      notification_settings: 'Notification settings',
      public_notification: 'Notification settings',
      push: 'Push messages',
      scope: 'Scopes',
      avatar: 'Avatars',
      newsletter: 'Newsletter',
      openapi: 'This description',
    },
  },
];
