// The eight visibility values and their effects for readers. The audience rules compute the readers of a row from this table;
// no other code may compare values.

export const VISIBILITIES = [
  'private',
  'private_and_guests',
  'custom',
  'workspace',
  'workspace_and_guests',
  'internal',
  'unlisted',
  'public',
] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Roles as which people who share a space can view it. */
export const SPACE_VIEWERS = ['member', 'guest', 'visitor'] as const;
export type SpaceViewer = (typeof SPACE_VIEWERS)[number];

interface VisibilityRow {
  label: string;
  /** One plain sentence for the share dialog and GET /v1/visibilities. */
  description: string;
  /** Search engines and our own lists may show it. */
  indexable: boolean;
  /** The people named in its grants read it, members and guests alike. */
  guests: boolean;
  /** Grants may also name positions, whose members then read it. */
  positions: boolean;
  /** Accounts with a proven address at the workspace's domain read it. */
  domain: boolean;
  workspaceReads: boolean;
  /** Anyone with the address reads it without signing in. */
  anonymousReads: boolean;
}

const OWNER_ALONE = {
  indexable: false,
  guests: false,
  positions: false,
  domain: false,
  workspaceReads: false,
  anonymousReads: false,
} as const;

/** Value → meaning, each as it differs from the first. The owner always reads. */
export const VISIBILITY: Record<Visibility, VisibilityRow> = {
  private: {
    label: 'Only me',
    description: 'Only you can see this.',
    ...OWNER_ALONE,
  },
  private_and_guests: {
    label: 'Me and guests',
    description: 'You and the guests you name can see this.',
    ...OWNER_ALONE,
    guests: true,
  },
  custom: {
    label: 'Chosen people',
    description: 'Exactly the people you choose can see this.',
    ...OWNER_ALONE,
    guests: true,
    positions: true,
  },
  workspace: {
    label: 'Workspace',
    description: 'Everyone in this workspace can see this.',
    ...OWNER_ALONE,
    workspaceReads: true,
  },
  workspace_and_guests: {
    label: 'Workspace and guests',
    description: 'Everyone in this workspace and the guests you name can see this.',
    ...OWNER_ALONE,
    guests: true,
    workspaceReads: true,
  },
  internal: {
    label: 'Organisation',
    description: 'Everyone in this workspace and everyone with an address at its e-mail domain can see this.',
    ...OWNER_ALONE,
    domain: true,
    workspaceReads: true,
  },
  unlisted: {
    label: 'Anyone with the link',
    description: 'Anyone who has the link can see this. It is not listed anywhere.',
    ...OWNER_ALONE,
    workspaceReads: true,
    anonymousReads: true,
  },
  public: {
    label: 'Everyone on the web',
    description: 'Anyone can find and see this, search engines included.',
    ...OWNER_ALONE,
    indexable: true,
    workspaceReads: true,
    anonymousReads: true,
  },
};

/** Every member of the workspace is in the audience. */
export function workspaceReads(visibility: Visibility): boolean {
  return VISIBILITY[visibility].workspaceReads;
}

/** People outside the workspace who signed in may be in the audience. */
export function outsidersRead(visibility: Visibility): boolean {
  const { guests, domain } = VISIBILITY[visibility];
  return guests || domain;
}

/** People without an account are in the audience. */
export function anonymousReads(visibility: Visibility): boolean {
  return VISIBILITY[visibility].anonymousReads;
}

const thatHave = (column: 'guests' | 'positions' | 'domain'): Visibility[] =>
  VISIBILITIES.filter((visibility) => VISIBILITY[visibility][column]);

/** The visibilities that let these people read, for conditions of queries. */
export const READ_BY = {
  workspace: VISIBILITIES.filter(workspaceReads),
  guests: thatHave('guests'),
  positions: thatHave('positions'),
  domain: thatHave('domain'),
  outsiders: VISIBILITIES.filter(outsidersRead),
};
