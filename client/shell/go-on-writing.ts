/**
 * State of a navigation after which a person goes on writing: the focus goes to the field of the new page instead of its
 * heading, where the next letters would be shortcuts.
 */
export const GO_ON_WRITING = { goOnWriting: true } as const;

export function goesOnWriting(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'goOnWriting' in state;
}
