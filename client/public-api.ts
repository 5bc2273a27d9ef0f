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
 * Calls a public endpoint; the table of endpoints defines its result, which is passed as the JSON it would be on the wire.
 * Undefined when the resource is not public.
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
    // An invalid id and a resource that is not public look the same as an address that does not exist.
    if (error instanceof Response && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

/** Requests the resource that the page shows. @throws not-found for this page when the resource is not public */
export async function askPublic<Result>(request: PageRequest, call: PublicCall): Promise<Result> {
  const result = await findPublic<Result>(request, call);
  if (result === undefined) throw pageNotFound(request.url);
  return result;
}

/** Redirects permanently from an earlier address to the present one. @throws the move */
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
