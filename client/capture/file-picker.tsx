/**
 * A button that opens the file dialog of the system. Accepts every file: the receiver reports those that cannot be saved.
 */
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { ACCEPTED_FILES } from '#shared/capture/file-kinds.ts';
import { SIZE_HINT } from '#client/capture/take-files.ts';
import { Button } from '#client/ui/button.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

interface FilePickerProps {
  onFiles: (files: readonly File[]) => void;
  /** The hint is the browser's own, because a closing tooltip in the viewer of a memory would lose the focus. */
  isPlain?: boolean;
}

/** Several files at a time. */
export function FilePicker({ onFiles, isPlain = false }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const button = (
    <Button
      size="sm"
      variant="ghost"
      icon={<Paperclip />}
      {...(isPlain && { title: SIZE_HINT })}
      onClick={() => input.current?.click()}
    >
      Add files
    </Button>
  );
  return (
    <>
      {isPlain ? button : <Tooltip text={SIZE_HINT}>{button}</Tooltip>}
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
