// The way to the QR code's drawing: few people ask for it, so it travels alone.
import { lazy } from 'react';

export const LazyShareQr = lazy(() =>
  import('#client/spaces/share-qr.tsx').then((m) => ({ default: m.ShareQr })),
);
