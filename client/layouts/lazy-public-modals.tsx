// What may lie over a page that people shared: the report and the copy, loaded when first asked for.
import { useStore } from '#client/shell/external-store.ts';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { useModal } from '#client/shell/modals.ts';
import { saveSpaceStore } from '#client/spaces/save-space-store.ts';

const ReportModal = lazyPart('the report form', () =>
  import('#client/spaces/report-modal.tsx').then((m) => m.ReportModal),
);
const SaveSpaceModal = lazyPart('the copy form', () =>
  import('#client/spaces/save-space-modal.tsx').then((m) => m.SaveSpaceModal),
);

/** Once in the public layout. */
export function LazyPublicModals() {
  const report = useModal('report');
  const isSaving = useStore(saveSpaceStore) !== undefined;
  return (
    <>
      {(report.open || report.args !== undefined) && <ReportModal />}
      {isSaving && <SaveSpaceModal />}
    </>
  );
}
