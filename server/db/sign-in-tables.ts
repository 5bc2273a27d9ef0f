// The tables behind early access, product news and the ways into an account beside the password.
import type { Generated } from 'kysely';
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import type { Id } from '#shared/ids.ts';
import type { SecretColumns } from './secret-columns.ts';

interface ProviderRequestTable {
  stateHash: string;
  provider: ProviderName;
  browserHash: string;
  codeVerifier: string;
  nonce: string;
  challenge: string | null;
  expiresAt: string;
}

interface ProviderProofTable {
  codeHash: string;
  provider: ProviderName;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  forename: string | null;
  surname: string | null;
  challenge: string | null;
  extended: Generated<boolean>;
  expiresAt: string;
}

interface PasskeyTable {
  id: string;
  userId: Id<'user'>;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  backedUp: boolean;
  name: string;
  created: string;
  lastUsedAt: string | null;
}

interface WebauthnChallengeTable {
  challengeHash: string;
  purpose: 'register' | 'login' | 'confirm';
  userId: Id<'user'> | null;
  expiresAt: string;
}

interface AuthenticatorAppTable extends SecretColumns {
  userId: Id<'user'>;
  enabledAt: string | null;
  lastStep: number;
}

interface NewsletterSignupTable {
  id: Generated<string>;
  email: string;
  created: string;
  wantsNews: Generated<boolean>;
  newsHash: Generated<string | null>;
  newsExpiresAt: Generated<string | null>;
  newsConfirmedAt: Generated<string | null>;
  approvedAt: Generated<string | null>;
  declinedAt: Generated<string | null>;
  inviteHash: Generated<string | null>;
  inviteExpiresAt: Generated<string | null>;
  joinedAt: Generated<string | null>;
}

interface NewsTable {
  id: Generated<string>;
  title: string;
  body: string;
  link: Generated<string | null>;
  postedTo: Generated<string | null>;
  created: string;
}

export interface SignInTables {
  newsletter_signup: NewsletterSignupTable;
  news: NewsTable;
  provider_request: ProviderRequestTable;
  provider_proof: ProviderProofTable;
  passkey: PasskeyTable;
  webauthn_challenge: WebauthnChallengeTable;
  authenticator_app: AuthenticatorAppTable;
  recovery_code: { userId: Id<'user'>; codeHash: string };
}
