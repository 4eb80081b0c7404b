/** What the document has asked for before the application was there: the first render has it. */
import { earlyBody, requestHeaders } from '../browser/early-requests.ts'
import { languageStore } from '../locales/index.ts'
import { addressOf, type Query } from './paths.ts'

export type EarlyData<T> =
  | { readonly initialData: () => T; readonly refetchOnMount: false }
  | { readonly initialData?: never; readonly refetchOnMount?: never }

/**
 * Options of a query, whose data is the body of an answer that has arrived.
 * @param of makes the data of the body.
 */
export function earlyData<T, B>(path: string, query: Query, of: (body: B) => T): EarlyData<T> {
  const body = earlyBody(addressOf(path, query), requestHeaders(languageStore.get()))
  return body === undefined ? {} : { initialData: () => of(body as B), refetchOnMount: false }
}
