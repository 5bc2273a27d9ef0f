/**
 * A button that opens the file dialog of the system. Judges nothing: what cannot be saved is told where the files go.
 */
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { ACCEPTED_FILES } from '#shared/capture/file-kinds.ts';
import { SIZE_HINT } from '#client/capture/take-files.ts';
import { Button } from '#client/ui/button.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

/** Several files at a time. */
export function FilePicker({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tooltip text={SIZE_HINT}>
        <Button size="sm" variant="ghost" icon={<Paperclip />} onClick={() => input.current?.click()}>
          Add files
        </Button>
      </Tooltip>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED_FILES}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
