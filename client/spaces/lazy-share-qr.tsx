// Loads the drawing of the QR code on demand, because few people need it.
import { lazyPart } from '#client/ui/lazy-part.tsx';

export const LazyShareQr = lazyPart('the QR code', () =>
  import('#client/ui/qr-code.tsx').then((m) => m.QrCode),
);
