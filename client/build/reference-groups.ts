// The pages of the API reference: which calls stand together, and under which headings.

export interface ReferenceGroup {
  /** Last part of the page's address. */
  name: string;
  label: string;
  description: string;
  /** Kind of a call → its heading. A kind without one stops the build. */
  sections: Record<string, string>;
  /** Heading of the calls that follow foreign standards, on the page where they stand. */
  protocol?: string;
}

/** Every kind of call is in one of them. */
export const REFERENCE_GROUPS: readonly ReferenceGroup[] = [
  {
    name: 'accounts',
    label: 'Accounts',
    description:
      'Signing up and in, one’s own account, its sessions, passkeys and second factor, and API keys.',
    sections: {
      impersonation: 'Support',
      staff: 'Support',
      account: 'Accounts',
      auth: 'Accounts',
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
    sections: { oauth: 'Authorization', oauth_client: 'OAuth clients', connected_app: 'Connected apps' },
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
      audit: 'Audit log',
    },
  },
  {
    name: 'memories',
    label: 'Memories',
    description: 'Saving, reading, searching and tagging memories, and archives of them: import and export.',
    sections: {
      memory: 'Memories',
      tag: 'Memories',
      file: 'Files',
      upload: 'Files in parts',
      import: 'Import',
      export: 'Export',
      feed: 'Feeds',
      mail_address: 'Saving by e-mail',
      change: 'Changes',
    },
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
    description: 'What can be read, searched, rated and reported without an account.',
    sections: {
      public_memory: 'Public memories',
      public_message: 'Public messages',
      public_space: 'Public spaces',
      public_thread: 'Public threads',
      public_workspace: 'Public workspaces',
    },
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    description: 'Where changes of a workspace are sent, and what came of each delivery.',
    sections: { webhook: 'Webhooks', webhook_delivery: 'Deliveries' },
  },
  {
    name: 'more',
    label: 'Everything else',
    description:
      'Notifications and push messages, reports for those who run a server, scopes, avatars and the newsletter.',
    sections: {
      notification: 'Notifications',
      notification_settings: 'Notification settings',
      public_notification: 'Notification settings',
      push: 'Push messages',
      report: 'Reports',
      scope: 'Scopes',
      avatar: 'Avatars',
      newsletter: 'Newsletter',
      access_request: 'Early access',
      openapi: 'This description',
    },
  },
];
