/**
 * An icon button whose label is also its tooltip, with its shortcut if it has one.
 * Needs the TooltipProvider around the application.
 */
import { PlainIconButton, type PlainIconButtonProps } from '#client/ui/plain-icon-button.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

interface IconButtonProps extends PlainIconButtonProps {
  /** Binding shown beside the label in the tooltip. */
  keys?: string;
}

/** For the trigger of a menu or popover use PlainIconButton: the tooltip would overlap it. */
export function IconButton({ keys, ...button }: IconButtonProps) {
  return (
    <Tooltip text={button.label} keys={keys} describes={false}>
      <PlainIconButton {...button} />
    </Tooltip>
  );
}
