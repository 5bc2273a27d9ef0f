/** The sample space of a new workspace; added once, however often it is requested. */
import { authorize } from '#shared/define/access.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
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
      ...SAMPLE_SPACE,
      ...authored(place, tx),
      id,
      color: 'emerald',
      visibility: 'workspace',
      publishText: true,
      origin: 'unknown',
    });
    // The first is at the top of lists, which begin with the newest.
    for (const [index, text] of SAMPLE_TEXTS.toReversed().entries()) {
      await addText(tx, place, { text, spaceId: id, index });
    }
    return id;
  });
}

function authored({ userId, workspaceId }: Place, tx: ServerTx, index = 0) {
  const at = new Date(tx.now.getTime() + index).toISOString();
  return {
    workspaceId,
    ownerId: userId,
    createdBy: userId,
    lastEditedBy: userId,
    created: at,
    updated: at,
    deletedAt: null,
  };
}

async function addText(
  tx: ServerTx,
  place: Place,
  { text, spaceId, index }: { text: SampleText; spaceId: Id<'space'>; index: number },
): Promise<void> {
  const { title, notes, url, description, tags } = text;
  const id = newId('memory');
  const row = authored(place, tx, index);
  await tx.insert('memory', {
    ...row,
    id,
    spaceId: null,
    type: url === null ? 'note' : 'link',
    origin: 'system',
    contentStatus: 'completed',
    metadata: {},
    title,
    url,
    tags,
    description,
    archived: false,
    summary: null,
    ...bodyFields(notes),
    screenshot: null,
    filename: null,
    uploadId: null,
  });
  if (url !== null) await storeUrlKey(tx, id, url);
  const { workspaceId, userId: createdBy } = place;
  await tx.insert('space_memory', { workspaceId, spaceId, memoryId: id, createdBy, created: row.created });
}
