/** Tests and suites that only the long run has. */
import { describe, it } from 'vitest';
import { IS_WHOLE } from './whole-run.ts';

type Test = (name: string, run: () => void | Promise<void>) => void;
type Suite = (name: string, define: () => void) => void;

const none = (): void => undefined;

export const itLong: Test = IS_WHOLE ? it : none;
export const describeLong: Suite = IS_WHOLE ? describe : none;
