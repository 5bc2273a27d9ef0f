/**
 * The entries of a menu as data: the same entries open from a button, from a right click or from a palette.
 */
import type { ReactNode } from 'react';

/** An act. */
export interface MenuAction {
  kind?: 'action';
  label: string;
  icon?: ReactNode;
  /** Binding shown at the end of the row, in tinykeys syntax. */
  keys?: string;
  tone?: 'danger';
  disabled?: boolean;
  run: () => void;
}

/** A way to another page; opens in a new tab with the usual modifier keys. */
export interface MenuLink {
  kind: 'link';
  label: string;
  icon?: ReactNode;
  keys?: string;
  to: string;
}

/** A switch that leaves the menu open. */
export interface MenuCheck {
  kind: 'check';
  label: string;
  checked: boolean;
  set: (checked: boolean) => void;
}

/** One of several; choosing leaves the menu open. */
export interface MenuChoice {
  kind: 'choice';
  label: string;
  value: string;
  options: readonly { value: string; label: string; icon?: ReactNode }[];
  set: (value: string) => void;
}

/** A menu inside the menu. */
export interface MenuGroup {
  kind: 'sub';
  label: string;
  icon?: ReactNode;
  entries: readonly MenuEntry[];
}

/** A heading or a line. */
export type MenuMark = { kind: 'heading'; label: string } | { kind: 'line' };

/** Everything a menu may hold; `false` and undefined are skipped so that callers can write conditions. */
export type MenuEntry =
  | MenuAction
  | MenuLink
  | MenuCheck
  | MenuChoice
  | MenuGroup
  | MenuMark
  | false
  | undefined;

/** Entries, or the way to get them when the menu opens: long lists of menus need none before. */
export type MenuSource = readonly MenuEntry[] | (() => readonly MenuEntry[]);
