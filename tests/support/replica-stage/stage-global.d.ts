/** What stage.tsx puts into its page, for functions that tests evaluate there. */
import type { Stage } from './stage.tsx';

declare global {
  var stage: Stage;
}
