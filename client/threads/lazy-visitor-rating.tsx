// Ratings by visitors: fetched by pages that show an answer, and not before they run.
import { lazyPart } from '#client/ui/lazy-part.tsx';

export const LazyVisitorRating = lazyPart('the rating of answers', () =>
  import('#client/threads/visitor-rating.tsx').then((m) => m.VisitorRating),
);
