/**
 * Views of one thing side by side, one visible.
 * For pages with their own address take links; tabs here change nothing but the panel.
 */
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: string; icon?: ReactNode; content: ReactNode }[];
  value?: string;
  onValueChange?: (value: string) => void;
  className?: string;
}

/** Uncontrolled with the first tab open unless `value` is given. */
export function Tabs({ label, tabs, value, onValueChange, className }: TabsProps) {
  const control = value === undefined ? { defaultValue: tabs[0]?.value ?? '' } : { value };
  return (
    <Radix.Root {...control} {...(onValueChange ? { onValueChange } : {})} className={className}>
      <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="relative -mb-px flex h-9 shrink-0 items-center gap-2 border-b-2 border-transparent text-sm font-medium text-ink-muted transition-colors duration-fast hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-primary data-[state=active]:text-ink pointer-coarse:h-11 [&_svg]:size-4"
          >
            {tab.icon}
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4 focus-visible:rounded-control">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
