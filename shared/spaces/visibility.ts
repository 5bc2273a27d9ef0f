// The eight visibility values (specification section 3, PRODUCT 5.4) with what each means for readers.
// Who exactly reads a row is computed from this table by the audience rules; nothing else may compare values.

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

interface VisibilityRow {
  label: string;
  /** One plain sentence for the share dialog and GET /v1/visibilities. */
  description: string;
  /** Readers need to sign in. */
  login: boolean;
  /** Search engines and our own lists may show it. */
  indexable: boolean;
  /** Named guests take part. */
  guests: boolean;
  /** Every member of the workspace reads it. */
  workspaceReads: boolean;
  /** Anyone with the address reads it without signing in. */
  anonymousReads: boolean;
}

/**
 * Value → meaning. The guest, custom and internal values are stored and shown, and enforced as strictly as
 * `private` until guests and domains can be managed; so `workspaceReads` is false for them.
 */
export const VISIBILITY: Record<Visibility, VisibilityRow> = {
  private: {
    label: 'Only me',
    description: 'Only you can see this.',
    login: true,
    indexable: false,
    guests: false,
    workspaceReads: false,
    anonymousReads: false,
  },
  private_and_guests: {
    label: 'Me and guests',
    description: 'You and the guests you name can see this.',
    login: true,
    indexable: false,
    guests: true,
    workspaceReads: false,
    anonymousReads: false,
  },
  custom: {
    label: 'Chosen people',
    description: 'Exactly the people you choose can see this.',
    login: true,
    indexable: false,
    guests: true,
    workspaceReads: false,
    anonymousReads: false,
  },
  workspace: {
    label: 'Workspace',
    description: 'Everyone in this workspace can see this.',
    login: true,
    indexable: false,
    guests: false,
    workspaceReads: true,
    anonymousReads: false,
  },
  workspace_and_guests: {
    label: 'Workspace and guests',
    description: 'Everyone in this workspace and the guests you name can see this.',
    login: true,
    indexable: false,
    guests: true,
    workspaceReads: false,
    anonymousReads: false,
  },
  internal: {
    label: 'Organisation',
    description: 'Everyone in this workspace and people with your e-mail domain can see this.',
    login: true,
    indexable: false,
    guests: false,
    workspaceReads: false,
    anonymousReads: false,
  },
  unlisted: {
    label: 'Anyone with the link',
    description: 'Anyone who has the link can see this. It is not listed anywhere.',
    login: false,
    indexable: false,
    guests: false,
    workspaceReads: true,
    anonymousReads: true,
  },
  public: {
    label: 'Everyone on the web',
    description: 'Anyone can find and see this, search engines included.',
    login: false,
    indexable: true,
    guests: false,
    workspaceReads: true,
    anonymousReads: true,
  },
};

/** Every member of the workspace is in the audience. */
export function workspaceReads(visibility: Visibility): boolean {
  return VISIBILITY[visibility].workspaceReads;
}

/** People without an account are in the audience. */
export function anonymousReads(visibility: Visibility): boolean {
  return VISIBILITY[visibility].anonymousReads;
}
