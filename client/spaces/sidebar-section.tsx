/** The heading of a section of the sidebar: accepts a space dropped on it, and collapses the rows below. */
import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Id } from '#shared/ids.ts';
import type { SidebarSection } from '#shared/spaces/sidebar-order.ts';
import { useSpaceDrop } from '#client/shell/drag.ts';
import { collapseSection } from '#client/spaces/sidebar-actions.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

interface HeadingProps {
  section: SidebarSection;
  /** Whether this person has a sidebar to arrange. */
  mayArrange: boolean;
  isOpen: boolean;
  onDrop: (spaceId: Id<'space'>, section: SidebarSection) => void;
  children: ReactNode;
}

/** The heading of a section, which accepts a space dropped on it. */
export function SectionHeading({ section, mayArrange, isOpen, onDrop, children }: HeadingProps) {
  const { ref, over } = useSpaceDrop<HTMLDivElement>((id) => onDrop(id, section));
  return (
    <div
      ref={ref}
      className={clsx(
        'flex items-center rounded-control',
        over && 'bg-primary-soft outline-2 outline-primary',
      )}
    >
      {children}
      {mayArrange && (
        <PlainIconButton
          label={section === 'pinned' ? 'Pinned spaces' : 'All other spaces'}
          icon={
            <ChevronRight className={clsx('transition-transform duration-fast', isOpen && 'rotate-90')} />
          }
          size="xs"
          aria-expanded={isOpen}
          onClick={() => void collapseSection(section, isOpen)}
        />
      )}
    </div>
  );
}
