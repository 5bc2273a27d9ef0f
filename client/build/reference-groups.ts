// The pages of the API reference: which calls stand together, and under which headings.

/** Calls that one page describes. */
export interface ReferenceGroup {
  /** Last part of the page's address. */
  name: string;
  label: string;
  description: string;
  /** Kind of a call → its heading. A kind without one stops the build. */
  sections: Record<string, string>;
}

/** Every kind of call is in one of them. */
export const REFERENCE_GROUPS: readonly ReferenceGroup[] = [
  {
    name: 'accounts',
    label: 'Accounts',
    description: 'Signing up and in, one’s own account, and its sessions.',
    sections: { account: 'Accounts', auth: 'Accounts', session: 'Sessions' },
  },
  {
    name: 'workspaces',
    label: 'Workspaces',
    description: 'Workspaces, their members, and invites.',
    sections: { workspace: 'Workspaces', workspace_member: 'Workspace members', invite: 'Invites' },
  },
  {
    name: 'memories',
    label: 'Memories',
    description: 'Saving, reading, searching and tagging memories, and bringing archives of them.',
    sections: { memory: 'Memories', tag: 'Memories', import: 'Import' },
  },
  {
    name: 'spaces',
    label: 'Spaces',
    description: 'Spaces, what stands in them, and who may read it.',
    sections: { space: 'Spaces', visibility: 'Spaces', space_memory: 'Space-memory links' },
  },
  {
    name: 'threads',
    label: 'Threads',
    description: 'Threads and their messages.',
    sections: { thread: 'Threads', message: 'Messages' },
  },
  {
    name: 'public',
    label: 'Public pages',
    description: 'What anybody can read, search, rate and report without an account.',
    sections: {
      public_memory: 'Public memories',
      public_message: 'Public messages',
      public_space: 'Public spaces',
      public_thread: 'Public threads',
      public_workspace: 'Public workspaces',
    },
  },
  {
    name: 'more',
    label: 'Everything else',
    description: 'Notifications, reports for those who run a server, scopes, avatars and the newsletter.',
    sections: {
      notification: 'Notifications',
      report: 'Reports',
      scope: 'Scopes',
      avatar: 'Avatars',
      newsletter: 'Newsletter',
      openapi: 'This description',
    },
  },
];
