// Ratings, their reasons and labels. Without zod, because pages load them.

export const RATINGS = [
  { label: 'Good answer', value: 1 },
  { label: 'Bad answer', value: -1 },
] as const;

/** Values of the wire. */
export const RATING_REASONS = [
  'inaccurate',
  'not_relevant',
  'missing_source',
  'unsafe',
  'style',
  'other',
] as const;
export type RatingReason = (typeof RATING_REASONS)[number];

export const RATING_REASON_LABELS: Readonly<Record<RatingReason, string>> = {
  inaccurate: 'How accurate it is',
  not_relevant: 'How well it fits the question',
  missing_source: 'Its sources',
  unsafe: 'How safe it is',
  style: 'How it is written',
  other: 'Something else',
};
