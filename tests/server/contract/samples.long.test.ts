/**
 * The samples of the API reference, run as a reader would run them: for every operation of the OpenAPI document, in every
 * language, against a server with real keys and real ids. What each call got is compared with the document.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isScope, SCOPE_NAMES } from '#shared/api-keys/scopes.ts';
import type { EndpointName } from '#shared/endpoints.ts';
import { type ApiOperation, operationsOf } from '#shared/openapi/operations.ts';
import { SAMPLE_LANGUAGES, type SampleLanguage } from '#shared/openapi/sample-languages.ts';
import { SAMPLE_ORIGIN, samplesOf } from '#shared/openapi/samples.ts';
import { createRaw } from '#tests/support/agent.ts';
import { type Operation, readDocument } from '#tests/support/api-document.ts';
import { type Cast, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { createPublicScenes } from '#tests/support/public-scenes.ts';
import { openDoor } from '#tests/support/recording-door.ts';
import { runSamples, type SampleOutcome, type SampleRun } from '#tests/support/sample-programs.ts';
import { createScenes, type Scene } from '#tests/support/scenes.ts';
import { MAIL_ENV } from '#tests/support/mail-sender.ts';
import { createWorld } from '#tests/support/world.ts';

/** A sample with the request that it shows. */
interface Staged {
  operation: ApiOperation;
  documented: Operation;
  run: SampleRun;
}

/**
 * Calls that are refused here in the documented form, because they need a mail, a second device, a provider, a page that
 * was read, a position on the staff or a stream. All others succeed.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'auth.reset_password',
  'auth.exchange',
  'auth.connect',
  'auth.passkey',
  'passkey.create',
  'passkey.update',
  'passkey.remove',
  'second_factor.enable',
  'second_factor.renew_codes',
  'impersonation.create',
  'impersonation.exchange',
  'memory.page',
  'memory.snapshot',
  'memory.file',
  'memory.preview',
  'memory.icon',
  'upload.create',
  'upload.get',
  'upload.append',
  'upload.remove',
  'notification.remove_singular',
  'public_notification.unsubscribe',
  'public_invite.open',
  'push.unsubscribe',
  'file.get',
  'import.get',
  'import.choose',
  'import.undo',
  'webhook_delivery.replay',
  'feed.create',
  'feed.check',
  'oauth.check',
  'oauth.authorize',
  'oauth.begin',
  'connected_app.remove',
  'public_thread.create',
  'public_message.create',
  'message.rate',
  'public_message.rate',
  'message.regenerate',
  'thread.follow',
  'public_thread.follow',
  'answering_settings.test',
  'public_client.list',
  'public_client.verify',
  'report.list',
  'report.decide',
  'newsletter.confirm',
  'access_request.list',
  'access_request.approve',
  'access_request.decline',
  'news.create',
  'oauth.token',
  'oauth.introspect',
  'oauth.revoke',
  'oauth.userinfo',
]);

/** The request of a scene in the place of that of the examples. */
function withScene(operation: ApiOperation, { workspaceId }: Cast, scene: Scene | undefined): ApiOperation {
  const params = { ...operation.params, ...('workspaceId' in operation.params && { workspaceId }) };
  const { body } = operation;
  if (!scene) {
    const isOfWorkspace = 'workspaceId' in Object(body?.value);
    const value = isOfWorkspace ? { ...Object(body?.value), workspaceId } : body?.value;
    return { ...operation, params, body: body && { ...body, value } };
  }
  return {
    ...operation,
    params: { ...params, ...scene.params },
    query: { ...operation.query, ...Object.fromEntries(new URLSearchParams(scene.query)) },
    body: scene.body === undefined ? undefined : { type: body?.type ?? 'json', value: scene.body },
  };
}

it.each(Object.keys(SAMPLE_LANGUAGES))(
  'samples in %s run and get what the document promises',
  async (name) => {
    const language = Object.keys(SAMPLE_LANGUAGES).find((each): each is SampleLanguage => each === name);
    if (!language) throw new Error(`${name} is no language of samples`);
    const world = await createWorld({ env: { EGRESS: 'public', TRUST_PROXY: 'loopback', ...MAIL_ENV } });
    const door = await openDoor(world.url);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-samples-'));
    try {
      const cast = await createCast(world);
      const documented = await readDocument(world);
      const { json } = await createRaw(world)('GET', '/v1/openapi.json');
      const operations = operationsOf(Object(json));
      expect(operations.map((each) => each.name)).toEqual(documented.map((each) => each.name));
      const { workspaceId } = cast;
      const scenes: [EndpointName, Scene][] = [
        ['import.create', { body: { workspaceId } }],
        ...(await createPublicScenes(cast)),
        ...(await createScenes(world, cast)),
      ];
      const { secret } = await createKey(world, cast.alice, {
        workspaceId,
        scopes: SCOPE_NAMES.filter(isScope),
      });
      const stage = (operation: ApiOperation, scene?: Scene): Staged => {
        const shown = withScene(operation, cast, scene);
        const promised = documented.find((each) => each.name === operation.name);
        if (!promised) throw new Error(`The document has no ${operation.name}`);
        const { token } = scene?.by ?? cast.alice;
        return {
          operation: shown,
          documented: promised,
          run: {
            name: operation.name,
            text: samplesOf(shown)[language].replaceAll(SAMPLE_ORIGIN, door.url),
            env: {
              LOCI_KEY: secret,
              LOCI_SESSION_TOKEN: token,
              LOCI_ACCESS_TOKEN: 'none',
              LOCI_CLIENT_ID: 'none',
              LOCI_CLIENT_SECRET: 'none',
            },
          },
        };
      };
      const named = new Map(operations.map((operation) => [operation.name, operation]));
      const inScenes = new Set<string>(scenes.map(([each]) => each));
      const staged = [
        ...operations.filter((each) => !inScenes.has(each.name)).map((operation) => stage(operation)),
        ...scenes.flatMap(([each, scene]) => {
          const operation = named.get(each);
          return operation ? [stage(operation, scene)] : [];
        }),
      ];
      expect(new Set(staged.map(({ run }) => run.name))).toEqual(new Set(named.keys()));
      const outcomes = await runSamples(
        language,
        folder,
        staged.map(({ run }) => run),
      );
      const faults = staged.flatMap((each, index) => {
        const fault = faultOf(each, outcomes[index], door.passed[index]);
        return fault === undefined ? [] : [`${each.run.name}: ${fault}`];
      });
      expect(faults).toEqual([]);
      // Each sample has made one request, neither more nor fewer.
      expect(door.passed).toHaveLength(staged.length);
    } finally {
      await door.close();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

type Passed = Awaited<ReturnType<typeof openDoor>>['passed'][number];

function faultOf(
  { operation, documented }: Staged,
  outcome: SampleOutcome | undefined,
  passed: Passed | undefined,
): string | undefined {
  if (!outcome || !passed) return `it made no request: ${outcome?.fault}`;
  const { method, answer } = passed;
  if (method !== operation.method) return `it sent ${method}`;
  const fault = documented.faultOf(answer);
  if (fault !== undefined) return `${answer.status} ${fault} ${answer.text.slice(0, 200)}`;
  const isFine = answer.status < 400;
  if (isFine === REFUSED.has(operation.name)) return `${answer.status} ${answer.text.slice(0, 200)}`;
  if (isFine && outcome.fault !== '') return outcome.fault;
  if (isFine && outcome.output === '' && operation.answer !== 'file') return 'it printed nothing';
  // A refusal is reported by the program, and not by a fault of the sample.
  if (!isFine && outcome.fault !== '' && !/^(?:HTTPError: HTTP Error|LociError:) /.test(outcome.fault))
    return outcome.fault;
  return undefined;
}
