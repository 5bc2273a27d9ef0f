/** The OpenAPI document of the product: its tables of calls under one head. */
import { SCOPES } from '../api-keys/scopes.ts';
import { PRODUCT_NAME } from '../constants.ts';
import { ENDPOINTS } from '../endpoints.ts';
import { FIELD_TEXTS } from '../field-texts.ts';
import { PROTOCOL_CALLS } from '../oauth/protocol-calls.ts';
import { describeApi } from './describe-api.ts';

const TABLES = { endpoints: ENDPOINTS, protocol: PROTOCOL_CALLS, fieldTexts: FIELD_TEXTS };

const INFO = {
  title: `${PRODUCT_NAME} API`,
  version: '1',
  description:
    'Answers are `{"success": true, "result": …}` or `{"success": false, "error": {message, detail, code}}`. ' +
    'Lists take orderBy, order, perPage, page or cursor, and field filters: equality, a comma list for any of several values, ' +
    '`null` for none, `from..to` for dates. Query parameters that a call does not have are refused. ' +
    'Writes answer `meta.syncVersion`. POST takes an Idempotency-Key. ' +
    'Calls are counted in the class that `x-rate-limit` names; the header RateLimit says how many are left.',
};

/** Made once per address; the tables do not change while a process runs. */
const descriptions = new Map<string, Record<string, unknown>>();

/** The OpenAPI document for a server at this address. */
export function apiDescription(origin: string): Record<string, unknown> {
  const oauth = {
    authorizationUrl: origin + PROTOCOL_CALLS['oauth.begin'].path,
    tokenUrl: origin + PROTOCOL_CALLS['oauth.token'].path,
    scopes: SCOPES,
  };
  const known = descriptions.get(origin) ?? describeApi(TABLES, { ...INFO, origin, oauth });
  descriptions.set(origin, known);
  return known;
}
