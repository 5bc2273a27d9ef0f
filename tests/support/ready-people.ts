/**
 * People who are there before the first story, made by story-template.ts. Each server of a story has all of them, and hands
 * each out once, without a call.
 */
import { readFileSync } from 'node:fs';
import { apiAt, type Person } from './person.ts';

/** Environment variable with the address of the database that servers of stories copy. */
export const STORY_TEMPLATE = 'LOCI_STORY_TEMPLATE';
/** Environment variable with the file that holds the people of that database, as JSON. */
export const STORY_PEOPLE = 'LOCI_STORY_PEOPLE';

/** A person as the file holds them. */
export type ReadyPerson = Omit<Person, 'api'>;

/** Those left, by the address of their server. */
const waiting = new Map<string, ReadyPerson[]>();

function readPeople(): ReadyPerson[] {
  return JSON.parse(readFileSync(process.env[STORY_PEOPLE] ?? '', 'utf8'));
}

/** The next of a server's people, whom no other story has had. */
export function takePerson({ url }: { url: string }): Person {
  const left = waiting.get(url) ?? readPeople();
  waiting.set(url, left);
  const person = left.shift();
  if (person === undefined)
    throw new Error('All people of this server were taken: story-template.ts makes more');
  return { ...person, api: apiAt(url, person.token) };
}
