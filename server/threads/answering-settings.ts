// Owners and admins choose who writes the answers of their workspace. A stored key is never returned: it is used only for the
// service for which it was entered.
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import {
  isOwnService,
  type AnsweringBody,
  type AnsweringSettings,
  type AnsweringTest,
} from '#shared/threads/answering-settings.ts';
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import type { Member, SessionPerson } from '../http/call.ts';
import { refuseImpersonation, requireProvenPerson } from '../http/person-checks.ts';
import { TIMEOUTS } from '../limits.ts';
import { forgetVectors, queueEmbedding } from '../memories/service.ts';
import { AnswerModelError, type AnswerFault, type AnswerService } from '../providers/answer-model.ts';
import { requireSendable } from '../providers/egress.ts';
import { findAnswering, keyPlace, ownModel, serviceUrl, storedKey } from './answering.ts';

type Manager = SessionPerson & Member;

/** Length from which the last four characters may be shown. */
const KEY_LONG = 16;
const TEST_CHARACTERS = 200;

/** Current settings. @throws forbidden */
export async function answeringSettingsOf(context: Context, actor: Manager): Promise<AnsweringSettings> {
  authorize(actor, 'answering.manage');
  const stored = await findAnswering(context, actor.workspaceId);
  const { answerModel, embeddings, secrets } = context;
  return {
    provider: stored?.provider ?? 'server',
    url: stored?.url ?? null,
    model: stored?.model ?? null,
    describes: stored?.describes ?? false,
    hasKey: (stored?.sealedKey ?? null) !== null,
    keyEnd: stored?.keyEnd ?? null,
    server: answerModel === undefined ? null : { name: answerModel.name, host: answerModel.host },
    embedding: embeddings === undefined ? null : { name: embeddings.model.name, host: embeddings.model.host },
    keepsKeys: secrets.isReady,
    updated: stored?.updated ?? null,
  };
}

/** Stores the choice. @throws forbidden, invalid */
export async function replaceAnswering(
  context: Context,
  actor: Manager,
  body: AnsweringBody,
): Promise<AnsweringSettings> {
  requireManager(actor);
  const { workspaceId } = actor;
  const { secrets, clock, db } = context;
  const { provider, url } = body;
  const before = await findAnswering(context, workspaceId);
  const apiKey = isOwnService(provider) ? (await serviceOf(context, actor, body)).apiKey : undefined;
  if (apiKey !== undefined && !secrets.isReady)
    throw new AppError(
      'invalid',
      'apiKey: This server cannot keep keys, because its operator has not set SECRETS_KEY',
    );
  const now = clock.now();
  const row = {
    provider,
    url,
    model: isOwnService(provider) ? body.model : null,
    describes: provider !== 'none' && body.describes,
    sealedKey: apiKey === undefined ? null : secrets.seal(apiKey, keyPlace(workspaceId)),
    keyEnd: apiKey !== undefined && apiKey.length >= KEY_LONG ? apiKey.slice(-4) : null,
    updated: now.toISOString(),
  };
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('answering_setting')
      .values({ workspaceId, ...row })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(row))
      .execute();
    if (provider === 'none') await forgetVectors(trx, workspaceId);
    const place = serviceUrl({ provider, url });
    await emit({ trx, now, origin: context.origin }, 'answering.changed', {
      actor,
      from: before?.provider ?? 'server',
      to: provider,
      host: place === undefined ? null : new URL(place).host,
      model: row.model,
      describes: row.describes,
      last4: row.keyEnd,
    });
  });
  // Those of a workspace that had none before.
  await queueEmbedding(context, workspaceId);
  return answeringSettingsOf(context, actor);
}

/** Sends a short test prompt to the service. @throws forbidden, invalid */
export async function testAnswering(
  context: Context,
  actor: Manager,
  body: AnsweringBody,
): Promise<AnsweringTest> {
  requireManager(actor);
  if (!isOwnService(body.provider))
    throw new AppError('invalid', 'provider: Only a service of your own can be tested');
  const model = ownModel(context, actor.workspaceId, await serviceOf(context, actor, body));
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUTS.answerTest);
  const prompt = { instructions: 'Answer in at most five words.', text: 'Are you there?' };
  let answer = '';
  try {
    for await (const piece of model.write(prompt, late.signal)) {
      answer += piece;
      if (answer.length > TEST_CHARACTERS) break;
    }
    if (late.signal.aborted) throw new AnswerModelError('timeout');
    return { answer: answer.trim().slice(0, TEST_CHARACTERS).toWellFormed(), problem: null };
  } catch (error) {
    if (!(error instanceof AnswerModelError)) throw error;
    return { answer: null, problem: PROBLEMS[error.fault] };
  } finally {
    clearTimeout(timer);
  }
}

const PROBLEMS: Readonly<Record<AnswerFault, string>> = {
  refused: 'The service refused the request. Check the address, the key and the name of the model.',
  busy: 'The service says that it has too many requests, or that its credit is used up.',
  timeout: 'The service did not answer in time.',
  too_large: 'The service sent far more than an answer can be.',
  broken: 'Something is there, but its answer could not be understood. Check the address.',
  declined: 'The model declined to answer.',
  network: 'The service could not be reached, or it failed. Check the address.',
  empty: 'The service answered with nothing.',
  blocked: 'This server may not reach that address.',
  limit: 'This workspace has used all answers by a language model of this month.',
  sealed: 'The key that is kept cannot be read any more. Enter it again.',
};

/** The service that a body names, with its key. @throws invalid */
async function serviceOf(context: Context, actor: Manager, body: AnsweringBody): Promise<AnswerService> {
  const { provider, model } = body;
  const url = serviceUrl(body);
  if (!isOwnService(provider) || model === null || url === undefined)
    throw new AppError('invalid', 'provider: Names no service');
  requireSendable(url, context.config.egress);
  const apiKey = body.apiKey === undefined ? await keptKey(context, actor, body) : (body.apiKey ?? undefined);
  if (apiKey === undefined && provider !== 'openai-compatible')
    throw new AppError('invalid', 'apiKey: Required');
  if (apiKey !== undefined && context.config.egress !== 'private' && new URL(url).protocol !== 'https:')
    throw new AppError('invalid', 'url: Must begin with https://, because the key would travel unencrypted');
  return { provider, url, model, apiKey };
}

/** The stored key, only for the service for which it was entered: a new address could read it. */
async function keptKey(context: Context, { workspaceId }: Manager, body: AnsweringBody) {
  const stored = await findAnswering(context, workspaceId);
  if (stored === undefined || stored.sealedKey === null) return undefined;
  const [before, next] = [serviceUrl(stored), serviceUrl(body)];
  if (before === undefined || next === undefined || stored.provider !== body.provider) return undefined;
  if (new URL(before).origin !== new URL(next).origin) return undefined;
  try {
    return storedKey(context, stored);
  } catch (error) {
    if (!(error instanceof AnswerModelError)) throw error;
    throw new AppError('invalid', 'apiKey: The key that is kept cannot be read any more. Enter it again');
  }
}

function requireManager(actor: Manager): void {
  authorize(actor, 'answering.manage');
  refuseImpersonation(actor, 'Who writes answers cannot be changed while impersonating');
  requireProvenPerson(actor);
}
