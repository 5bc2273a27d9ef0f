// Layout name → module. Seven names, one line each; the router nests pages below them.
import type { ComponentType } from 'react';
import type { Layout } from '#shared/pages.ts';

interface LayoutRoute {
  /** Path below client/, the key of the module in the build manifest. */
  source: string;
  load: () => Promise<ComponentType>;
}

export const layoutRoutes = {
  default: {
    source: 'layouts/default.tsx',
    load: () => import('#client/layouts/default.tsx').then((m) => m.DefaultLayout),
  },
  public: {
    source: 'layouts/public.tsx',
    load: () => import('#client/layouts/public.tsx').then((m) => m.PublicLayout),
  },
  docs: {
    source: 'layouts/docs.tsx',
    load: () => import('#client/layouts/docs.tsx').then((m) => m.DocsLayout),
  },
  auth: {
    source: 'layouts/auth.tsx',
    load: () => import('#client/layouts/auth.tsx').then((m) => m.AuthLayout),
  },
  onboarding: {
    source: 'layouts/onboarding.tsx',
    load: () => import('#client/layouts/onboarding.tsx').then((m) => m.OnboardingLayout),
  },
  dashboard: {
    source: 'layouts/dashboard.tsx',
    load: () => import('#client/layouts/dashboard.tsx').then((m) => m.DashboardLayout),
  },
  empty: {
    source: 'layouts/empty.tsx',
    load: () => import('#client/layouts/empty.tsx').then((m) => m.EmptyLayout),
  },
} satisfies Record<Layout, LayoutRoute>;
