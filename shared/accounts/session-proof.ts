// How the person at a session proves again who they are.
import { z } from 'zod';
import { givenPassword } from './password.ts';
import { passkeyAnswer, secondFactorCode } from './second-factor-endpoints.ts';
import { providerProof } from './sign-in-endpoints.ts';

export const sessionProof = z.union(
  [
    z.object({ password: givenPassword }),
    z.object({ code: secondFactorCode }),
    z.object({ passkey: passkeyAnswer }),
    z.object({ provider: providerProof }),
  ],
  { error: 'Send a password, a code, a passkey or a provider' },
);
export type SessionProof = z.output<typeof sessionProof>;
