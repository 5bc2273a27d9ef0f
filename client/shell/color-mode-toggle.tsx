/**
 * The button that turns light into dark and back.
 * Its drawing follows the class on the document, so that the server's HTML is right in both modes.
 */
import { Moon, Sun } from 'lucide-react';
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

/** Sits in headers; the three-way choice with "system" is a setting. */
export function ColorModeToggle() {
  return (
    <PlainIconButton
      label="Light or dark"
      onClick={toggleColorMode}
      icon={
        <>
          <Moon aria-hidden="true" className="dark:hidden" />
          <Sun aria-hidden="true" className="hidden dark:block" />
        </>
      }
    />
  );
}
