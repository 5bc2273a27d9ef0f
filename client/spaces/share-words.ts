import { countOf, countMemories } from '#shared/english.ts';
/**
 * Sentences of the share dialogs: what becomes visible, in numbers. Pure words.
 */

/** How many memories of a space are notes, whose text can be published, and how many carry private annotations. */
export interface SpaceContents {
  notes: number;
  annotated: number;
}

/** Which texts are published, and which stay private. */
function textConsequence({ notes, annotated }: SpaceContents, publishText: boolean): string {
  const hidden = annotated > 0 ? countOf(annotated, 'link or file', 'links and files') : '';
  if (!publishText)
    return hidden === ''
      ? 'The text of notes stays private.'
      : `The text of notes and annotations on ${hidden} stay private.`;
  const shown = notes === 0 ? 'Notes are published with their text' : countOf(notes, 'note');
  const verb =
    notes === 0 ? '' : ` ${notes === 1 ? 'is' : 'are'} published with ${notes === 1 ? 'its' : 'their'} text`;
  return `${shown}${verb}. Annotations on ${hidden === '' ? 'links and files' : hidden} stay private.`;
}

/** Sentence about what becomes public. */
export function spaceConsequence(count: number, contents: SpaceContents, publishText: boolean): string {
  const shown = count === 0 ? 'Memories you add later' : countMemories(count);
  const verb = count === 1 ? 'becomes' : 'become';
  const head = `${shown} ${verb} visible with title, address, description, summary and tags.`;
  return `${head} ${textConsequence(contents, publishText)}`;
}
