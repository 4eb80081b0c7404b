/** Gives the first render the answers that the document has asked for before the application had loaded. */
import { earlyBody, requestHeaders } from '../browser/early-requests.ts'
import { languageStore } from '../locales/index.ts'
import { addressOf, type Query } from './paths.ts'

export type EarlyData<T> =
  | { readonly initialData: () => T; readonly refetchOnMount: false }
  | { readonly initialData?: never; readonly refetchOnMount?: never }

/**
 * Options of a query: its data, if the answer has arrived.
 * @param of makes the data from the body of the answer.
 */
export function earlyData<T, B>(path: string, query: Query, of: (body: B) => T): EarlyData<T> {
  const body = earlyBody(addressOf(path, query), requestHeaders(languageStore.get()))
  return body === undefined ? {} : { initialData: () => of(body as B), refetchOnMount: false }
}
