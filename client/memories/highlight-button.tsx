/** The button at a selection in a page, and its key: the selected passage becomes a highlight. */
import { Highlighter } from 'lucide-react';
import { useRef, type PointerEvent, type RefObject } from 'react';
import { quoteOfRange } from '#client/memories/passages.ts';
import type { Highlights } from '#client/memories/use-highlights.ts';
import { useSelectedRange } from '#client/memories/use-passages.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { Kbd } from '#client/ui/kbd.tsx';

/** Pixels between the selection and the button, and the room that the button needs. */
const GAP = 6;
const WIDTH = 150;

interface HighlightButtonProps {
  /** The element whose text can be selected; in the document of the page or of a frame. */
  root: HTMLElement;
  /** The positioned element that contains the button. */
  place: RefObject<HTMLElement | null>;
  highlights: Highlights;
}

/** Where the selection ends, in pixels from the corner of the place. */
function endOf(range: Range, place: HTMLElement | null): { left: number; top: number } {
  const box = place?.getBoundingClientRect();
  if (!box) return { left: 0, top: 0 };
  const rects = range.getClientRects();
  const last = rects[rects.length - 1] ?? range.getBoundingClientRect();
  const frame = range.startContainer.ownerDocument?.defaultView?.frameElement?.getBoundingClientRect();
  const { left, top } = frame ?? { left: 0, top: 0 };
  const within = (value: number, most: number) => Math.max(0, Math.min(value, most));
  return {
    left: within(left + last.right - box.left - WIDTH / 2, box.width - WIDTH),
    top: within(top + last.bottom - box.top + GAP, box.height - 40),
  };
}

/** Renders nothing without a selection. */
export function HighlightButton({ root, place, highlights }: HighlightButtonProps) {
  const selected = useSelectedRange(root);
  const pressed = useRef<Range>(undefined);
  const highlight = (range: Range | undefined) => {
    if (range === undefined) return;
    const { quote, isCut } = quoteOfRange(range, root);
    root.ownerDocument.defaultView?.getSelection()?.removeAllRanges();
    if (quote.exact !== '') void highlights.add(quote, isCut);
  };
  useShortcut('memory.highlight', () => highlight(selected), {
    inDialog: true,
    enabled: selected !== undefined,
  });
  if (selected === undefined) return null;
  // A press would clear the selection, and remove this button before the press is complete.
  const keepSelection = (event: PointerEvent) => {
    pressed.current = selected;
    event.preventDefault();
  };
  // On touch screens the browser's own menu is at the selection, and toasts are at the lower edge.
  return (
    <div
      style={endOf(selected, place.current)}
      className="absolute z-20 pointer-coarse:fixed pointer-coarse:inset-x-0! pointer-coarse:top-auto! pointer-coarse:bottom-[calc(9.5rem+env(safe-area-inset-bottom))] pointer-coarse:flex pointer-coarse:justify-center"
    >
      <Button
        size="sm"
        variant="primary"
        icon={<Highlighter />}
        className="shadow-float pointer-coarse:min-h-11"
        onPointerDown={keepSelection}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => highlight(pressed.current ?? selected)}
      >
        Highlight
        <Kbd keys={keysOf('memory.highlight')} onDark />
      </Button>
    </div>
  );
}
