/** Descriptions of fields in the API reference: threads, messages, ratings and answer settings. */
import { EXPORT_MESSAGES_MAX } from './limits.ts';
import { CHOSEN_ID, type FieldTexts, type RowTexts } from '../define/field-texts.ts';
import type { answeringSettings } from './answering-settings.ts';
import type { rating } from './conversation.ts';
import type { message } from './message.ts';
import type { publicThread } from './public-thread.ts';
import type { threadView } from './thread-view.ts';
import type { thread } from './thread.ts';

const threadTexts = {
  ownerId: 'Id of the user who decides over it, and reads it whatever its visibility is.',
  createdBy: 'Id of the user who began it; null for a visitor of a public space.',
  lastEditedBy: 'Id of the user who changed it last; null when only visitors wrote in it.',
  name: 'Shown in lists; made of the first message when it is left out.',
  summary: 'Comes with imported archives; null without one.',
  origin: 'Where it was begun.',
  visibility: 'Who reads it; `visibility.list` says what each value means. New threads are `private`.',
  publicUntil: 'Id of the last message that the public sees; null shows what is written later, too.',
} satisfies RowTexts<typeof thread, 'deletedAt'>;

const messageTexts = {
  threadId: 'Id of the thread that it stands in.',
  role: '`user` for people, `assistant` for answers, `system` for remarks of the server.',
  content: 'Markdown; marks such as [1] in an answer are the numbers of its citations.',
  citations: 'Sources of an answer, in the order of their numbers from 1; empty for messages of people.',
  'citations.memoryId': 'Id of the cited memory.',
  'citations.quote':
    'The passage that the answer rests on; null for the whole memory, and always for visitors.',
  replyTo: 'Id of the message that this one answers; null for messages of people and for earlier versions.',
  versionOf:
    'Id of the answer that was written again in place of this one; null for what the thread says now.',
  rewrittenAt: 'When the text of an answer that was written again is from; null for a first answer.',
  createdBy: 'Id of the author; null for the assistant and for visitors.',
  createdAt: 'In UTC; decides the order within the thread.',
} satisfies RowTexts<typeof message> & Record<`citations.${string}`, string>;

const publicThreadTexts = {
  name: threadTexts.name,
  summary: threadTexts.summary,
  visibility: '`unlisted` is read by who has the address, `public` is listed, too.',
  messageCount: 'Messages that the public sees.',
  frozen: 'True when messages that are written later are not shown.',
  workspace: 'Where it belongs.',
  author: 'User name of the owner; null when the person chose none, and for a thread of a visitor.',
  'askedIn.slug': 'Last part of the address of the space.',
  'askedIn.name': 'Name of the space.',
  askedIn: 'The public space that a visitor asked; null for a thread of a member.',
  takesQuestions: 'True while the visitor who began it may ask on.',
} satisfies RowTexts<{ row: typeof publicThread }> & Record<`askedIn.${string}`, string>;

const publicCitation = {
  citations: 'Sources of an answer; empty for messages of visitors and members.',
  'citations.number': 'As the text of the answer marks it, from 1.',
  'citations.memoryId': 'Null for a private source.',
  'citations.title': '`private source` when the memory is in no public or unlisted space.',
  'citations.spaceSlug': 'Slug of the space that shows it; null for a private source.',
  'citations.hasPage': 'True when the memory has a page of its own in that space.',
};
const conversation = {
  thread: 'The thread as the public sees it.',
  messages: 'Its messages, oldest first.',
  content: 'The question, as plain text.',
  website: 'Must stay empty: only machines fill it.',
  visitorKey: 'Lets the visitor ask on in this thread; only the first answer has it.',
};

const ratingTexts = {
  value: '1 is good, -1 is bad, 0 is none; sending 0 takes an earlier rating back.',
  reason: 'Why, by a word of this list; null without one.',
  comment: 'Why, in words of the reader; null without any.',
} satisfies RowTexts<{ row: typeof rating }>;
const ratingFields = {
  ...ratingTexts,
  id: 'Null when there is no rating any more.',
  threadId: 'Id of the thread of the answer.',
  messageId: 'Id of the answer; questions cannot be rated.',
  totals: 'How all readers rated the answer; null for who is neither owner nor admin.',
  'totals.up': 'Readers who rated it 1.',
  'totals.down': 'Readers who rated it -1.',
};

const exportFields = {
  threadId: 'Id of the thread.',
  messageIds: `Only these messages, ${EXPORT_MESSAGES_MAX} at most; all when it is left out.`,
  format: 'Form of the file.',
  include: 'What the file has beside the messages.',
  'include.citations': 'False leaves the sources of answers out.',
  'include.timestamps': 'False leaves the times of messages out.',
  memoryId: 'Id of the note that was made.',
  destination: '`memory` saves the file as a note of the workspace instead of sending it.',
};

const answeringTexts = {
  provider:
    '`server` is the model of this server, `none` only quotes passages, others are services of your own account.',
  url: 'Base address of the service, for `openai-compatible` alone; null for all others.',
  model: 'Name of the model as the service calls it; null for `server` and `none`.',
  describes:
    'Whether the model also writes titles, summaries and tags of new memories, and names of threads. Each text counts as an answer.',
  hasKey: 'Whether a key is kept; the key itself is never returned.',
  keyEnd: 'Last four characters of the key; null without one and for short ones.',
  server: 'What `server` means here; null where this server has no model.',
  embedding:
    'The model that texts and searches are sent to for search by meaning, unless `none` is chosen; null without one.',
  keepsKeys: 'False where the operator has set no secret to encrypt keys with, so that none can be kept.',
  updated: 'Last change of the choice, in UTC; null while it is the default.',
} satisfies RowTexts<{ row: typeof answeringSettings }> & { updated: string };
const model = { name: 'Name of the model.', host: 'Host that the texts are sent to.' };
const answeringFields = {
  ...answeringTexts,
  ...Object.fromEntries(
    Object.entries(model).flatMap(([name, text]) => [
      [`server.${name}`, text],
      [`embedding.${name}`, text],
      [`model.${name}`, text],
    ]),
  ),
  apiKey: 'Left out: the key that was given for the same service stays. Null: no key.',
  answer: 'What the service said; null when it did not answer.',
  problem: 'Why it did not answer, in a sentence; null when it did.',
};

const grants =
  'Who else reads or writes it, for those who may change that; they count while the visibility has guests.';
const change = {
  grants: 'Replaces all grants; left out, they stay. They count while the visibility has guests.',
  'grants.userId': 'Id of a user; name one of `userId`, `email` and `position`.',
  'grants.email': 'An address gets a mail, and counts for the account that proves it.',
  'grants.position': 'Everyone with this position in the workspace.',
  quotes:
    'Needed where new readers would see passages of memories that they cannot read: `keep` shows the passages, `remove` takes them out for good.',
};
const viewer =
  'As whom the thread is looked at: a `member` of the workspace, a `guest` who was named, or a `visitor` without an account.';

export const threadFieldTexts = {
  Thread: { ...threadTexts, viewer },
  ThreadWithGrants: { ...threadTexts, grants },
  ThreadView: {
    viewer,
    reads: 'Whether they see the thread at all.',
    thread: 'What they see of it; null when they do not see it.',
    messages: 'Oldest first, the newest 50 at most.',
    total: 'All messages that they see in it.',
  } satisfies RowTexts<{ row: typeof threadView }>,
  Message: messageTexts,
  PublicThread: { ...publicThreadTexts, workspaceSlug: 'First part of the address of the thread.' },
  PublicMessage: { ...messageTexts, ...publicCitation },
  AnsweringSettings: answeringFields,
  Answering: {
    ...answeringFields,
    model: 'Model that writes the answers; null where answers only quote passages.',
  },
  'thread.create': {
    id: CHOSEN_ID,
    content: 'First message; a name is made of it when none is sent. It is answered like every question.',
  },
  'thread.branch': {
    messageId: 'Last message that the new thread has.',
    newId: CHOSEN_ID,
    name: 'Of the new thread; made of the name of the present one when it is left out.',
  },
  'thread.search': {
    query: 'Words, of which all must be found in the name or in one message.',
    score: 'Higher is better, comparable within one answer only.',
    snippets: 'The parts that match, best first.',
  },
  'thread.replace': change,
  'thread.update': change,
  'thread.private_quotes': {
    visibility: 'The visibility that the thread would get.',
    publicUntil: 'The last message that the public would see; null for all.',
    holder: 'A person, an address or a position that would be named in a grant.',
    memoryId: 'Id of a memory whose passages would be shown.',
    title: 'Title of that memory.',
  },
  'message.list': {
    versions: '`all` lists the earlier versions of answers, too, each beside the answer that took its place.',
  },
  'message.create': {
    id: CHOSEN_ID,
    content: 'The question or remark, as Markdown.',
    memoryIds:
      'The answer rests on these memories alone; left out with `spaceIds`, on all that the person reads.',
    spaceIds: 'The answer rests on memories of these spaces; one that the person may not read gives 404.',
    message: 'The message as it is stored.',
    reply: 'Null: the answer follows as a message of its own, whose `replyTo` is the id of this one.',
  },
  'message.rate': ratingFields,
  'public_message.rate': ratingFields,
  'message.rated': ratingFields,
  'public_message.rated': ratingFields,
  'message.export': exportFields,
  'public_message.export': exportFields,
  'public_thread.create': { ...conversation, spaceId: 'Id of the public or unlisted space that is asked.' },
  'public_message.create': {
    ...conversation,
    threadId: 'Id of the thread that the visitor began.',
    visitorKey: 'From the answer to the first question; it works for 24 hours.',
  },
  'public_thread.report': {
    id: 'Id of the public or unlisted thread.',
    reason: 'What is wrong with it.',
    details: 'Further words for the people who run the server.',
    email: 'Where they can ask back; nobody else sees it.',
  },
} as const satisfies FieldTexts;
