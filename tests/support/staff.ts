/** Staff in tests, and what they do while they act as another person. */
import { expect } from 'vitest';
import { createApi, createRaw, signUp, verifyAddress, type Agent } from './agent.ts';
import type { World } from './world.ts';

/** The address that worlds with staff name in their configuration. */
export const STAFF_EMAIL = 'staff@example.com';
export const OTHER_STAFF_EMAIL = 'colleague@example.com';
export const STAFF_ENV = { STAFF_EMAILS: `${STAFF_EMAIL},${OTHER_STAFF_EMAIL}` };

export const REASON = 'Ticket 4711: the import does not end';

/** A member of staff with a proven address. */
export async function createStaff(world: World, email = STAFF_EMAIL): Promise<Agent> {
  const staff = await signUp(world, email.split('@')[0] ?? 'staff');
  await verifyAddress(world, staff);
  return staff;
}

/** Requests a code for a person. */
export const requestCode = (staff: Pick<Agent, 'raw'>, email: string, reason = REASON) =>
  staff.raw('POST', '/v1/auth/impersonate', { body: { email, reason } });

/** Uses a code. */
export const redeemCode = (world: World, code: string) =>
  createRaw(world)('POST', '/v1/auth/impersonate/exchange', { body: { code } });

/** A text field of a result. */
export function fieldOf(result: unknown, name: string): string {
  const value: unknown =
    typeof result === 'object' && result !== null
      ? Object.entries(result).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof value !== 'string') throw new Error(`The result has no ${name}`);
  return value;
}

/** Acts as a person from now on. */
export async function impersonate(world: World, staff: Agent, person: Agent): Promise<Agent> {
  const created = await requestCode(staff, person.user.email);
  expect(created.status).toBe(201);
  const { json } = await redeemCode(world, fieldOf(created.json?.result, 'code'));
  const token = fieldOf(json?.result, 'token');
  return { user: person.user, token, api: createApi(world, token), raw: createRaw(world, token) };
}
