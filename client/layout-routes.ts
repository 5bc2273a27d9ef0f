/** Layouts of the application: name → module; the router nests pages below them. */
import type { ComponentType } from 'react';
import type { PAGES, ShellPageName } from '#shared/pages.ts';

export type ShellLayout = (typeof PAGES)[ShellPageName]['layout'];

export const layoutRoutes: Record<ShellLayout, () => Promise<ComponentType>> = {
  auth: () => import('#client/layouts/auth.tsx').then((m) => m.AuthLayout),
  onboarding: () => import('#client/layouts/onboarding.tsx').then((m) => m.OnboardingLayout),
  empty: () => import('#client/layouts/empty.tsx').then((m) => m.EmptyLayout),
  dashboard: () => import('#client/layouts/dashboard.tsx').then((m) => m.DashboardLayout),
};
