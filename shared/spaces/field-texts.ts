/** Descriptions of fields in the API reference: spaces, their links, grants and shares. */
import { CHOSEN_ID, type FieldTexts, type RowTexts } from '../define/field-texts.ts';
import type { grantShown } from './grant.ts';
import type { publicSpace } from './public-space.ts';
import type { share } from './share.ts';
import type { spaceView } from './space-view.ts';
import type { space } from './space.ts';

const spaceTexts = {
  ownerId: 'Id of the user who decides over it, and reads it whatever its visibility is.',
  name: 'Shown wherever the space is; need not be unique.',
  description: 'Shown on the page of the space; null shows none.',
  color: 'Word for the colour of the sign; left out, one is chosen by the name.',
  slug: 'Last part of its address, unique in the workspace; earlier ones lead here for 90 days.',
  origin: 'Where it was made.',
  visibility:
    'Who reads it; `visibility.list` says what each value means. `unlisted` and `public` need `allowPublicSharing` of the workspace, or an owner or admin.',
  publishText:
    'True lets visitors of a public space read the text of its notes; false shows titles, descriptions and summaries.',
} satisfies RowTexts<typeof space, 'deletedAt'>;

const grantTexts = {
  userId:
    'Id of the account that holds it; null for a position, and for an address that no account has proven.',
  email: 'Address that was named, in lower case; null for a user and a position.',
  position: 'Position whose members hold it; null for a user and an address.',
  level: '`write` also adds and edits.',
} satisfies RowTexts<{ row: typeof grantShown }>;

const grants =
  'Who else reads or writes it, for those who may change that; they count while the visibility has guests.';
const grantsInput = {
  grants: 'Replaces all grants; left out, they stay. They count while the visibility has guests.',
  'grants.userId': 'Id of a user; name one of `userId`, `email` and `position`.',
  'grants.email': 'An address gets a mail, and counts for the account that proves it.',
  'grants.position': 'Everyone with this position in the workspace.',
};

const viewTexts = {
  viewer:
    'As whom the space is looked at: a `member` of the workspace, a `guest` who was named, or a `visitor` without an account.',
  reads: 'Whether they see the space at all.',
  space: 'What they see of it; null when they do not see it.',
  memories: 'Newest first, 50 at most.',
  total: 'All memories that they see in it.',
} satisfies RowTexts<{ row: typeof spaceView }>;

const shareTexts = {
  id: 'Id of the space or thread.',
  kind: 'What is shared.',
  name: 'Name of the space or thread.',
  slug: 'Last part of the address of a space; null for a thread.',
  workspaceSlug: 'First part of its address.',
  workspaceName: 'Name of the workspace, of which the person need not be a member.',
  level: '`write` also adds and edits.',
} satisfies RowTexts<{ row: typeof share }> & { id: string };

const publicTexts = {
  ...spaceTexts,
  publicChat: 'True when visitors may ask.',
  memoryCount: 'Memories that visitors see in it.',
  workspace: 'Where it belongs.',
  author: 'User name of the owner; null when the person chose none.',
} satisfies RowTexts<{ row: typeof publicSpace }>;

const link = {
  spaceId: 'Id of the space that shows the memory.',
  memoryId: 'Id of a memory of the same workspace.',
};
const ofMemory = { spaceId: 'Id of the space.', id: 'Id of the memory, as links have no id of their own.' };

export const spaceFieldTexts = {
  Space: { ...spaceTexts, viewer: viewTexts.viewer },
  SpaceWithGrants: { ...spaceTexts, grants },
  SpaceView: viewTexts,
  SpaceMemory: link,
  Grant: grantTexts,
  Share: shareTexts,
  PublicSpace: {
    ...publicTexts,
    trending: 'False where the newest stand in, because no space was visited lately.',
    workspaceSlug: 'First part of the address of a space.',
    query: 'Words, of which all must be found in name or description.',
  },
  Visibility: {
    id: 'Value of the field `visibility` of spaces and threads.',
    label: 'As the app calls it.',
    description: 'Who reads, in one sentence.',
    login: 'True when readers need to sign in.',
    indexable: 'True when search engines and the lists of this server may show it.',
    guests: 'True when the people who are named in grants read it.',
  },
  'space.get_by_slug': {
    workspaceSlug: 'First part of the address of the space.',
    slug: 'Present address, or one that the space had within the last 90 days.',
  },
  'space.create': {
    id: CHOSEN_ID,
    slug: 'Last part of its address; made of the name when it is left out, 409 when it is taken.',
  },
  'space.replace': grantsInput,
  'space.update': grantsInput,
  'space.search': {
    query: 'Words, of which all must be found in name or description.',
    score: 'Higher is better, comparable within one answer only.',
    snippets: 'The parts that match, best first.',
  },
  'space.clone': {
    workspaceId: 'Where the copy is made; the person must be a member there.',
    spaceId: 'Id of a public or unlisted space.',
    copied: 'Memories that were made.',
    linked: 'Memories that the workspace had already, and that the new space shows too.',
  },
  'share.leave': { id: 'Id of the space or thread that was shared.' },
  'space_memory.get': ofMemory,
  'space_memory.remove': ofMemory,
  'public_space.report': {
    id: 'Id of the public or unlisted space.',
    reason: 'What is wrong with it.',
    details: 'Further words for the people who run the server.',
    email: 'Where they can ask back; nobody else sees it.',
    memoryId: 'The memory of the space that the report is about.',
  },
} as const satisfies FieldTexts;
