// The interface between the server and the built page bundle: types of its request and result. Both sides depend only on these
// types; neither imports the other.
import type { RenderMarkdown } from '../markdown/render-task.ts';

/** How page loaders reach the product's data, in the server's process. Returns the `result` of the endpoint. */
export type CallApi = (method: string, path: string, body?: unknown) => Promise<unknown>;

export interface RenderRequest {
  /** Absolute URL, built from the configured public origin, never from the Host header. */
  url: string;
  callApi: CallApi;
  /** Renders text of people beside the main thread. */
  markdown: RenderMarkdown;
  /** The page has already failed: the error page with this message is rendered instead, without any call. */
  failure?: PageFault;
}

/** Texts of the error page: status, status message, and one sentence of detail. */
export interface PageFault {
  status: number;
  message: string;
  detail: string;
}

/** A finished page, in the parts of the template. */
export interface RenderedPage {
  status: number;
  /** Set for redirects; the other pieces are then empty. */
  location?: string;
  head: string;
  body: string;
  noindex: boolean;
}

/** The one function that the page bundle exports. */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage>;
