/** The form for the reasons of a rating on a public page, which has no React until a visitor wants to give any. */
import { createRoot } from 'react-dom/client';
import { loadWholeStyles } from '#client/shell/whole-styles.ts';
import { RatingWhy, type RatingWhyProps } from '#client/threads/rating-why.tsx';

/** Draws it into `place`; the result takes it away. */
export async function mountRatingWhy(place: Element, props: RatingWhyProps): Promise<() => void> {
  await loadWholeStyles();
  const root = createRoot(place);
  root.render(<RatingWhy {...props} />);
  return () => root.unmount();
}
