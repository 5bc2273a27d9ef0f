// The identity providers that a server can be set up with.

/** Names as used in addresses and in `user.source`. */
export const IDENTITY_PROVIDERS = ['github', 'google'] as const;
export type ProviderName = (typeof IDENTITY_PROVIDERS)[number];

/** How each is called on screen. */
export const PROVIDER_LABELS: Readonly<Record<ProviderName, string>> = { github: 'GitHub', google: 'Google' };

/** The column of `user` that holds the person's identifier at the provider. */
export const PROVIDER_COLUMNS = { github: 'githubId', google: 'googleId' } as const;
