// How a person is called on screen; apart from the entity, because it is needed before any schema is.
import type { User } from './user.ts';

/** The name to show for a person: real name, else user name, else a neutral word; never the e-mail address. */
export function displayName(person: Pick<User, 'forename' | 'surname' | 'username'>): string {
  const full = [person.forename, person.surname].filter(Boolean).join(' ');
  return full || person.username || 'Member';
}
