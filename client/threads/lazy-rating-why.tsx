// The form for the reasons of a rating, fetched when a visitor wants to give any.
import { lazyPart } from '#client/ui/lazy-part.tsx';

export const LazyRatingWhy = lazyPart('the reasons of a rating', () =>
  import('#client/threads/rating-why.tsx').then((m) => m.RatingWhy),
);
