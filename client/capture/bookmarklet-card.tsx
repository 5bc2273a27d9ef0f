/** A bookmark that opens the capture sheet with the page it is pressed on. */
import { Bookmark } from 'lucide-react';
import { showToast } from '#client/shell/toasts.ts';
import { buttonStyle } from '#client/ui/button-style.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';

/** Longer selections would make an address that servers refuse. */
const SELECTION_MAX = 1_200;

/** The program as an address. A window of its own keeps the page; where it is blocked, the page's own takes its place. */
export function bookmarkletOf(origin: string): string {
  // Cut between characters: half of one cannot be encoded.
  const part = `(text,most)=>encodeURIComponent([...String(text)].slice(0,most).join(''))`;
  const share = [
    `'${origin}/_share?url='+part(location.href,2000)`,
    `'&title='+part(document.title,200)`,
    `'&text='+part(getSelection(),${SELECTION_MAX})`,
  ].join('+');
  return `javascript:(()=>{const part=${part},u=${share};open(u,'loci','width=720,height=800')||(location.href=u)})()`;
}

export function BookmarkletCard() {
  const address = bookmarkletOf(location.origin);
  return (
    <div className="flex flex-wrap gap-2">
      {/* React refuses programs as addresses, rightly so for any that others could have written. */}
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The address is set below. */}
      <a
        ref={(link) => link?.setAttribute('href', address)}
        className={buttonStyle({ variant: 'primary' })}
        onClick={(event) => {
          event.preventDefault();
          showToast({ title: 'Drag this button to the bookmarks of your browser' });
        }}
      >
        <Bookmark />
        Save to Loci
      </a>
      <CopyButton text={address} label="Copy address" />
    </div>
  );
}
