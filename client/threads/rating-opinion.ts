// A reader's rating of an answer, as pages show it.
import type { Rating } from '#shared/threads/conversation.ts';

export type Opinion = Pick<Rating, 'value' | 'reason' | 'comment'>;

export const UNRATED: Opinion = { value: 0, reason: null, comment: null };
