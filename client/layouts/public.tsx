// The layout of what people share with the web: a workspace's public page, spaces and threads.
import { Outlet } from 'react-router';
import { LazyPublicModals } from '#client/layouts/lazy-public-modals.tsx';
import { SiteFrame } from '#client/site/site-frame.tsx';

export function PublicLayout() {
  return (
    <SiteFrame>
      <Outlet />
      <LazyPublicModals />
    </SiteFrame>
  );
}
