// The way to the QR code's drawing: few people ask for it, so it travels alone.
import { lazyPart } from '#client/ui/lazy-part.tsx';

export const LazyShareQr = lazyPart('the QR code', () =>
  import('#client/ui/qr-code.tsx').then((m) => m.QrCode),
);
