// Who writes the answers of a workspace: the model of this server, or the one that its owners and admins have chosen.
import type { Id } from '#shared/ids.ts';
import { isOwnService } from '#shared/threads/answering-settings.ts';
import { ANSWER_SERVICES } from '../config.ts';
import type { Context } from '../context.ts';
import type { WriteContext } from '../db/transaction.ts';
import {
  AnswerModelError,
  answerModelAt,
  type AnswerModel,
  type AnswerService,
} from '../providers/answer-model.ts';
import { metered } from './model-usage.ts';

/** Stored settings; undefined when none were saved. */
export function findAnswering({ db }: Pick<Context, 'db'>, workspaceId: Id<'workspace'>) {
  return db
    .selectFrom('answering_setting')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
}

type Stored = NonNullable<Awaited<ReturnType<typeof findAnswering>>>;

/** The stored key; undefined without one. @throws AnswerModelError where it cannot be read */
export function storedKey(
  { secrets }: Pick<Context, 'secrets'>,
  { sealedKey, workspaceId }: Pick<Stored, 'sealedKey' | 'workspaceId'>,
): string | undefined {
  if (sealedKey === null) return undefined;
  const key = secrets.open(sealedKey, keyPlace(workspaceId));
  if (key === undefined) throw new AnswerModelError('sealed');
  return key;
}

export const keyPlace = (workspaceId: string) => `answering ${workspaceId}`;

/** The model at a service that a workspace names: reached through the guard, and counted. */
export function ownModel(
  context: WriteContext & Pick<Context, 'config' | 'egress'>,
  workspaceId: Id<'workspace'>,
  service: AnswerService,
): AnswerModel {
  const model = answerModelAt(service, { fetch: context.egress.fetch });
  return metered(context, model, { workspaceId, perMonth: context.config.answersPerMonth });
}

/** The model that answers in a workspace; undefined where answers only quote passages. */
export async function answeringModel(
  context: Context,
  workspaceId: Id<'workspace'>,
): Promise<AnswerModel | undefined> {
  const { answerModel, config } = context;
  const stored = await findAnswering(context, workspaceId);
  if (stored === undefined || stored.provider === 'server') {
    const meter = { workspaceId, perMonth: config.answersPerMonth };
    return answerModel && metered(context, answerModel, meter);
  }
  const { provider, model } = stored;
  const url = serviceUrl(stored);
  if (!isOwnService(provider) || model === null || url === undefined) return undefined;
  try {
    return ownModel(context, workspaceId, { provider, url, model, apiKey: storedKey(context, stored) });
  } catch (error) {
    if (!(error instanceof AnswerModelError)) throw error;
    return unreadable({ name: model, host: new URL(url).host }, error);
  }
}

/** Where a service is; undefined where none is named. */
export function serviceUrl({ provider, url }: Pick<Stored, 'provider' | 'url'>): string | undefined {
  return isOwnService(provider) ? (ANSWER_SERVICES[provider] ?? url ?? undefined) : undefined;
}

/** A model whose key was encrypted with another key than this server has. */
function unreadable(shown: { name: string; host: string }, fault: AnswerModelError): AnswerModel {
  return {
    ...shown,
    // eslint-disable-next-line require-yield -- it fails before it writes
    async *write() {
      throw fault;
    },
  };
}
