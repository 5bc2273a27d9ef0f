/** Recovery codes, shown this once. */
import { Download } from 'lucide-react';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';

/** The list with ways to save it. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line p-4">
      <p>
        <strong className="font-medium">Keep these recovery codes somewhere safe.</strong> Each works once in
        place of a code of the app. They are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <Button
          icon={<Download className="size-4" />}
          onClick={() =>
            downloadText('loci-recovery-codes.txt', `Recovery codes for ${PRODUCT_NAME}\n\n${text}\n`)
          }
        >
          Download codes
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
