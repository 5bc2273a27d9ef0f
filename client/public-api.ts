/** Typed calls of the public API for the loaders of public pages. Which call a page needs is its feature's. */
import { pageNotFoundMessage } from '#shared/errors.ts';
import { PageMove, PageRefusal, type PageRequest } from '#client/public-page.tsx';

export interface PublicCall {
  method?: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/** The failure of an address that is no page's. */
export function pageNotFound({ pathname }: URL): PageRefusal {
  return new PageRefusal({ status: 404, message: '', detail: pageNotFoundMessage(pathname) });
}

/**
 * Asks a public endpoint; its answer was agreed in the table of endpoints and passes as the JSON it would be on the wire.
 * Undefined when the public does not reach the thing.
 */
export async function findPublic<Result>(
  request: PageRequest,
  call: PublicCall,
): Promise<Result | undefined> {
  const { method = 'GET', path, body } = call;
  try {
    const result: Result = JSON.parse(JSON.stringify(await request.callApi(method, path, body)));
    return result;
  } catch (error) {
    // An id of the wrong form and a thing that is not public look the same as an address that does not exist.
    if (error instanceof Response && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/** Asks for what the page is about. @throws not-found for this page when the public does not reach it */
export async function askPublic<Result>(request: PageRequest, call: PublicCall): Promise<Result> {
  const result = await findPublic<Result>(request, call);
  if (result === undefined) throw pageNotFound(request.url);
  return result;
}

/** Sends visitors of an earlier address to the present one for good. @throws the move */
export function moveTo({ url }: PageRequest, path: string): void {
  if (decodeURI(url.pathname) !== decodeURI(path)) throw new PageMove(path + url.search);
}

/** A list has no page after its last one, so such an address does not exist. @throws not-found */
export function refuseEmptyPart({ url }: PageRequest, page: number, shown: number): void {
  if (page > 1 && shown === 0) throw pageNotFound(url);
}

/** The page that `?page=` names, 1 for everything that is no number. */
export function pageNumber({ url }: PageRequest, most: number): number {
  const given = Number(url.searchParams.get('page') ?? '1');
  return Number.isInteger(given) && given >= 1 ? Math.min(given, most) : 1;
}
