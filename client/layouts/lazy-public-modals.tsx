// What may lie over a page that people shared: the report and the copy, loaded when first asked for.
import { lazy, Suspense } from 'react';
import { useStore } from '#client/shell/external-store.ts';
import { useModal } from '#client/shell/modals.ts';
import { saveSpaceStore } from '#client/spaces/save-space-store.ts';

const ReportModal = lazy(() =>
  import('#client/spaces/report-modal.tsx').then((m) => ({ default: m.ReportModal })),
);
const SaveSpaceModal = lazy(() =>
  import('#client/spaces/save-space-modal.tsx').then((m) => ({ default: m.SaveSpaceModal })),
);

/** Once in the public layout. */
export function LazyPublicModals() {
  const report = useModal('report');
  const isSaving = useStore(saveSpaceStore) !== undefined;
  return (
    <Suspense fallback={null}>
      {(report.open || report.args !== undefined) && <ReportModal />}
      {isSaving && <SaveSpaceModal />}
    </Suspense>
  );
}
