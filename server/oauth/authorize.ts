/**
 * Authorization requests: checked by the provider library in one run, decided by a signed-in person in another. Nothing is
 * stored in between, so another browser cannot continue the request, and the code reaches only the browser in which the person
 * decided.
 */
import { isLimitable, type Scope } from '#shared/api-keys/scopes.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { can, type Position } from '#shared/permissions.ts';
import { requireRecentProof } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { SessionPerson } from '../http/call.ts';
import { memberOf } from '../http/credentials.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { requireReadableSpaces } from '../spaces/service.ts';
import type { AuthorizationRun, Decision, SeenRequest } from './authorization-run.ts';
import { findShown } from './client-store.ts';
import { DECISION_MARK, OAUTH_ROUTES } from './provider-paths.ts';
import { openProvider } from './provider-door.ts';
import { withoutSlash } from './resources.ts';

/** The unparsed parameters of a request; a repeated one has several values. */
export type RequestParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Choice {
  decision: 'allow' | 'deny';
  workspaceId?: Id<'workspace'> | undefined;
  /** None or an empty list means every space. */
  spaceIds?: readonly Id<'space'>[] | undefined;
  access?: 'read' | 'write' | undefined;
}

/** A valid request that a person can decide, or the address at the client where its refusal belongs. */
export type Checked = { seen: SeenRequest } | { redirectTo: string };

/** Checks a request. @throws invalid when it cannot be returned to the client, because client or address are wrong */
export async function checkRequest(context: Context, parameters: RequestParameters): Promise<Checked> {
  const run: AuthorizationRun = {};
  const redirectTo = await send(context, parameters, run);
  if (redirectTo === undefined) throw refusalOf(run);
  if (!redirectTo.startsWith(DECISION_MARK)) return { redirectTo };
  if (!run.seen) throw new Error('A request was found valid without being seen');
  return { seen: run.seen };
}

/**
 * Applies the person's decision and returns the address of the redirect, with the code or the refusal in the address. @throws
 * invalid, forbidden, confirmation_required
 */
export async function decideRequest(
  context: Context,
  person: SessionPerson,
  { parameters, choice }: { parameters: RequestParameters; choice: Choice },
): Promise<string> {
  refuseImpersonation(person);
  const decision = await decisionOf(context, person, choice);
  const authTime = await freshLogIn(context, person, { parameters, decision });
  const run: AuthorizationRun = { decider: { userId: person.userId, authTime, decision } };
  const redirectTo = await send(context, parameters, run);
  if (redirectTo === undefined) throw refusalOf(run);
  if (redirectTo.startsWith(DECISION_MARK)) {
    throw new AppError('invalid', 'This request asks not to show a page (prompt=none)');
  }
  if (decision.allow && run.seen && new URL(redirectTo).searchParams.has('code')) {
    await announce(context, person, { workspaceId: decision.workspaceId, identifier: run.seen.identifier });
  }
  return redirectTo;
}

/** Where the library sends the browser; undefined when it would show an error page. */
async function send(
  context: Context,
  parameters: RequestParameters,
  run: AuthorizationRun,
): Promise<string | undefined> {
  const query = new URLSearchParams();
  for (const [name, value = []] of Object.entries(parameters)) {
    for (const each of [value].flat()) query.append(name, name === 'resource' ? withoutSlash(each) : each);
  }
  // A response by a form that submits itself needs an inline script, which no page here may have.
  if (query.get('response_mode') === 'form_post') {
    throw new AppError('invalid', 'response_mode form_post is not supported');
  }
  // Consent is always required, and the library grants offline access only when a request has this prompt.
  if (query.getAll('prompt').length === 0) query.set('prompt', 'consent');
  else if (query.getAll('prompt').length === 1 && !/\b(?:none|consent)\b/.test(query.get('prompt') ?? '')) {
    query.set('prompt', `${query.get('prompt') ?? ''} consent`.trim());
  }
  const path = `${OAUTH_ROUTES.authorization}?${query.toString()}`;
  const { headers, statusCode } = await openProvider(context).send({ method: 'GET', path, run });
  if (statusCode >= 500)
    throw new AppError('unavailable', 'The request could not be checked, please try again');
  return headers.location;
}

function refusalOf({ refusal }: AuthorizationRun): AppError {
  if (!refusal) throw new Error('A request was refused without a reason');
  return new AppError('invalid', refusal.description);
}

/** The choice as a decision, within what the person may grant now. @throws invalid, forbidden */
async function decisionOf(context: Context, person: SessionPerson, choice: Choice): Promise<Decision> {
  if (choice.decision === 'deny') return { allow: false };
  if (!person.user.emailVerified) throw new AppError('forbidden', 'Verify your e-mail address first');
  const { workspaceId } = choice;
  if (workspaceId === undefined) throw new AppError('invalid', 'workspaceId: choose a workspace');
  const member = await memberOf(context, person, workspaceId);
  if (!can(member, 'oauth.authorize')) {
    throw new AppError('forbidden', 'Your position in this workspace does not allow connecting apps');
  }
  const chosen = [...new Set(choice.spaceIds ?? [])];
  const spaceIds = chosen.length === 0 ? null : chosen;
  if (spaceIds) await requireReadableSpaces(context.db, { ...person, workspaceId }, spaceIds);
  const mayWrite = choice.access !== 'read' && member.position !== 'guest' && grantsWriting(member.position);
  return {
    allow: true,
    workspaceId,
    spaceIds,
    scopes: (requested) =>
      requested.filter(
        (scope) => (mayWrite || !isWriting(scope)) && (spaceIds === null || isLimitable(scope)),
      ),
  };
}

/** Whether a member in this position can grant more than reading. */
function grantsWriting(position: Position): boolean {
  return position !== 'read-only';
}

function isWriting(scope: Scope): boolean {
  return scope.endsWith(':write');
}

/**
 * When the person gave the password last, in seconds. @throws confirmation_required when that is too long ago, for us or
 * for the client
 */
async function freshLogIn(
  context: Context,
  person: SessionPerson,
  { parameters, decision }: { parameters: RequestParameters; decision: Decision },
): Promise<number> {
  if (decision.allow) await requireRecentProof(context, person);
  const { created, confirmed } = await context.db
    .selectFrom('session')
    .select(['created', 'confirmed'])
    .where('id', '=', person.credential.id)
    .executeTakeFirstOrThrow();
  const given = Math.max(Date.parse(created), confirmed === null ? 0 : Date.parse(confirmed));
  const ageMs = context.clock.now().getTime() - given;
  const maxAge = Number([parameters['max_age'] ?? []].flat()[0] ?? Infinity);
  const wantsLogIn = [parameters['prompt'] ?? []]
    .flat()
    .some((prompt) => prompt.split(' ').includes('login'));
  const limit = Math.min(maxAge * 1_000, wantsLogIn ? OAUTH.loginFreshMs : Infinity);
  // A client that requires a log-in at this very moment would otherwise never succeed.
  if (decision.allow && ageMs > Math.max(limit, OAUTH.loginFreshMs)) {
    throw new AppError('confirmation_required', 'Confirm that it is you to do this');
  }
  return Math.floor(given / 1_000);
}

/** Every connected application is announced to the person. */
async function announce(
  context: Context,
  person: SessionPerson,
  { workspaceId, identifier }: { workspaceId: Id<'workspace'>; identifier: string },
): Promise<void> {
  const client: Pick<Row<'oauth_client'>, 'id' | 'name'> | undefined = await findShown(context, identifier);
  if (!client) return;
  const facts = { actor: { userId: person.userId, workspaceId }, target: client };
  await writeInRealm(context, workspaceId, person, async (tx) => {
    await emit(tx, 'oauth.allowed', facts);
    await emit(tx, 'oauth.connected', facts);
  });
}
