/** The sample space of a new workspace; added once, however often it is requested. */
import { authorize } from '#shared/define/access.ts';
import { authoredBy } from '#shared/define/authored.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { NEW_MEMORY } from '#shared/memories/memory.ts';
import { space } from '#shared/spaces/space.ts';
import type { Context } from '../context.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { Written } from '../db/transaction.ts';
import type { Member } from '../http/call.ts';
import { writeAs } from '../http/write.ts';
import { storeUrlKey } from '../memories/service.ts';
import { SAMPLE_SPACE, SAMPLE_TEXTS, type SampleText } from './sample-content.ts';
import { readerIn } from '../sync/readable.ts';

interface Place {
  userId: Id<'user'>;
  workspaceId: Id<'workspace'>;
}

/** Adds the sample space, or returns the one that is there. @throws forbidden */
export function addSampleSpace(context: Context, place: Member): Promise<Written<Id<'space'>>> {
  const { workspaceId } = place;
  return writeAs(context, readerIn(place), async ({ tx, ...writing }) => {
    const actor = await writing.actor();
    authorize(actor, 'space.create');
    authorize(actor, 'memory.create');
    const known = await tx.trx
      .selectFrom('space')
      .select('id')
      .where('workspaceId', '=', workspaceId)
      .where('slug', '=', SAMPLE_SPACE.slug)
      .executeTakeFirst();
    if (known) return known.id;
    const id = newId('space');
    await tx.insert('space', {
      ...space.defaults,
      ...SAMPLE_SPACE,
      ...authoredBy(place.userId, workspaceId, tx.now.toISOString()),
      id,
      origin: 'unknown',
    });
    // The first is at the top of lists, which begin with the newest.
    for (const [index, text] of SAMPLE_TEXTS.toReversed().entries()) {
      await addText(tx, place, { text, spaceId: id, index });
    }
    return id;
  });
}

async function addText(
  tx: ServerTx,
  { userId, workspaceId }: Place,
  { text, spaceId, index }: { text: SampleText; spaceId: Id<'space'>; index: number },
): Promise<void> {
  const { title, notes, url, description, tags } = text;
  const id = newId('memory');
  const created = new Date(tx.now.getTime() + index).toISOString();
  await tx.insert('memory', {
    ...NEW_MEMORY,
    ...authoredBy(userId, workspaceId, created),
    ...bodyFields(notes),
    id,
    type: url === null ? 'note' : 'link',
    origin: 'system',
    contentStatus: 'completed',
    title,
    url,
    tags,
    description,
  });
  if (url !== null) await storeUrlKey(tx, id, url);
  await tx.insert('space_memory', { workspaceId, spaceId, memoryId: id, createdBy: userId, created });
}
