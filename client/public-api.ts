// Typed calls of the public API for page loaders, on the server and in the browser alike. Knows transport and failures;
// which call a page needs is its feature's.
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { callApiContext } from '#client/call-api.ts';
import { notFound } from '#client/guards.ts';
import { offlineFailure } from '#client/shell/offline-failure.ts';

/** What every loader gets from the router. */
export type LoaderInput = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>;

/** One call of a public endpoint. */
export interface PublicCall {
  method?: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/**
 * Asks a public endpoint; its answer was agreed in the table of endpoints and passes as the JSON it would be on the wire.
 * Undefined when the public does not reach the thing.
 */
export async function findPublic<Result>(input: LoaderInput, call: PublicCall): Promise<Result | undefined> {
  const { method = 'GET', path, body } = call;
  try {
    const result: Result = JSON.parse(
      JSON.stringify(await input.context.get(callApiContext)(method, path, body)),
    );
    return result;
  } catch (error) {
    // An id of the wrong form and a thing that is not public look the same as an address that is nobody's.
    // The browser's word for no answer at all.
    if (!import.meta.env.SSR && error instanceof TypeError) throw offlineFailure();
    if (error instanceof Response && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/** Asks for what the page is about. @throws not-found for this page when the public does not reach it */
export async function askPublic<Result>(input: LoaderInput, call: PublicCall): Promise<Result> {
  const result = await findPublic<Result>(input, call);
  if (result === undefined) throw notFound(new URL(input.request.url).pathname);
  return result;
}

/** Sends visitors of an earlier address to the present one for good. @throws a redirect */
export function moveTo(input: LoaderInput, path: string): void {
  const { pathname, search } = new URL(input.request.url);
  if (decodeURI(pathname) !== decodeURI(path)) throw redirect(path + search, 301);
}

/**
 * Behind its last part a list has nothing, so the address is nobody's. Only by hand does one get there: the browser's
 * bundle goes without. @throws not-found
 */
export function refuseEmptyPart({ request }: LoaderInput, page: number, shown: number): void {
  if (import.meta.env.SSR && page > 1 && shown === 0) throw notFound(new URL(request.url).pathname);
}

/** The page that `?page=` names, 1 for everything that is no number. */
export function pageNumber(request: Request, most: number): number {
  const given = Number(new URL(request.url).searchParams.get('page') ?? '1');
  return Number.isInteger(given) && given >= 1 ? Math.min(given, most) : 1;
}
