// Who may save a memory where.
import { authorize } from '#shared/define/access.ts';
import { placeSubject } from '#shared/spaces/granted-subject.ts';
import type { Id } from '#shared/ids.ts';
import type { Writing } from '../http/write.ts';

/** Checks the right to save before any byte is stored. @throws forbidden */
export async function requireSaving(
  { tx, actor }: Writing,
  spaceId: Id<'space'> | null | undefined,
): Promise<void> {
  const person = await actor();
  const home = spaceId ? await tx.get('space', spaceId) : undefined;
  authorize(person, 'memory.create', home && (await placeSubject(tx, person, home)));
}
