// The public site's layout: home, pricing, blog, explore and not-found.
import { Outlet } from 'react-router';
import { SiteFrame } from '#client/site/site-frame.tsx';

export function DefaultLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}
