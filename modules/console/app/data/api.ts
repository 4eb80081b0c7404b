/** Requests to the public API, with the cookie of the signed-in person and the workspace of the document. */

import { workspace } from '../browser/document.ts'
import { requestHeaders, takeEarly } from '../browser/early-requests.ts'
import { createStore } from '../browser/store.ts'
import { languageStore, translate } from '../locales/index.ts'
import {
  addressOf,
  fillPath,
  type InputOf,
  type LastArgument,
  type Method,
  type PathOf,
  type Query,
  type ResponseOf,
} from './paths.ts'
import { ApiError, isCode, type ProblemDocument, ServerUnavailable } from './problem.ts'

export interface Call {
  readonly method?: string
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  /** A body that isn't JSON, with its media type. */
  readonly file?: Blob
  /** Sent as If-Match. */
  readonly etag?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  /** The server carries out a request once for each key. */
  readonly idempotencyKey?: string
  /** Media type of the answer; JSON by default. */
  readonly accept?: string
}
export interface Answer<T> {
  readonly body: T
  readonly etag: string | null
}

/** False while the server is away. */
export const onlineStore = createStore(true)
/** True once the server has said that the person doesn't belong to the workspace of the document. */
export const leftStore = createStore(false)
interface WaitingForPerson {
  readonly proof: boolean
  /** Whether the person said that they had proved who they are, and the server still asks. */
  readonly isProofMissing: boolean
  readonly resolve: () => void
  readonly cancel: () => void
}
/** Set while a request waits for the person to sign in again, or to prove who they are. */
export const signInStore = createStore<WaitingForPerson | undefined>(undefined)

const UNAVAILABLE = new Set([502, 503, 504])

/**
 * A request whose path only the description of a resource says; `api` is for the others. Rejects with an ApiError for
 * problems, and with ServerUnavailable without an answer of the server.
 */
export async function callApi<T>(call: Call, isProved = false): Promise<Answer<T>> {
  const response = await send(call)
  if (response.status === 401 && isEndedLogin(call)) {
    await signInAgain({ proof: false, isProofMissing: false })
    return readAnswer(await send(call))
  }
  try {
    return await readAnswer<T>(response)
  } catch (error) {
    if (!isCode(error, 'reauthentication_required')) throw error
    // The person proves who they are in another window, so that nothing they typed is lost.
    if (!(await signInAgain({ proof: true, isProofMissing: isProved }))) throw error
    return callApi(call, true)
  }
}

const isEndedLogin = ({ path }: Call): boolean => !path.startsWith('/v1/auth/login')

let waiting: Promise<boolean> | undefined
/** All requests that fail at the same time wait for the same dialog. False if the person cancels. */
function signInAgain(reason: Pick<WaitingForPerson, 'proof' | 'isProofMissing'>): Promise<boolean> {
  waiting ??= new Promise<boolean>(resolve =>
    signInStore.set({ ...reason, resolve: () => resolve(true), cancel: () => resolve(false) }),
  ).finally(() => {
    waiting = undefined
    signInStore.set(undefined)
  })
  return waiting
}

async function send({
  method = 'GET',
  path,
  query,
  body,
  file,
  etag,
  signal,
  idempotencyKey,
  accept = 'application/json',
}: Call): Promise<Response> {
  const address = addressOf(path, query)
  const headers = requestHeaders(languageStore.get(), accept)
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (file) headers['content-type'] = file.type
  if (etag) headers['if-match'] = etag
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const init: RequestInit = { method, headers, credentials: 'same-origin' }
  if (body !== undefined) init.body = JSON.stringify(body)
  if (file) init.body = file
  if (signal) init.signal = signal
  try {
    const response = await ((method === 'GET' && takeEarly(address, headers)) || fetch(address, init))
    if (UNAVAILABLE.has(response.status)) {
      // A body that nobody reads occupies its connection.
      await response.body?.cancel()
      throw new ServerUnavailable(translate('serverUnavailable'))
    }
    onlineStore.set(true)
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    onlineStore.set(false)
    throw new ServerUnavailable(translate('serverUnavailable'))
  }
}

async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
  if (response.ok) return { body: body as T, etag: response.headers.get('etag') }
  const problem = body as ProblemDocument
  if (isJson && workspace && problem.code === 'not_a_member') leftStore.set(true)
  if (isJson) throw new ApiError(problem)
  throw new ApiError({ status: response.status, code: 'unknown', title: response.statusText, detail: '' })
}

interface Options {
  /** Sent as If-Match. */
  readonly etag?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  /** The server carries out a request once for each key. */
  readonly idempotencyKey?: string
}
interface AnyInput extends Options {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Query
  readonly body?: unknown
}
type Request<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...input: LastArgument<InputOf<P, M> & Options>
) => Promise<Answer<ResponseOf<P, M>>>
const request =
  <M extends Method>(method: M): Request<M> =>
  (path, ...inputs) => {
    const { path: parameters = {}, ...call }: AnyInput = inputs[0] ?? {}
    return callApi({ ...call, method: method.toUpperCase(), path: fillPath(path, parameters) })
  }

/** Requests with the parameters, body and answer of their path: `api.get('/v1/sessions/{id}', { path: { id } })`. */
export const api: { readonly [M in Method]: Request<M> } = {
  get: request('get'),
  post: request('post'),
  put: request('put'),
  patch: request('patch'),
  delete: request('delete'),
}

/** The HTML of a page of the product. */
export const getPage = async (path: string, signal?: AbortSignal): Promise<string> =>
  (await callApi<string>({ path, signal })).body

/** A list as a file. */
export async function getCsv<P extends PathOf<'get'>>(
  path: P,
  ...[input]: LastArgument<InputOf<P, 'get'>>
): Promise<string> {
  const { path: parameters = {}, query }: AnyInput = input ?? {}
  return (await callApi<string>({ path: fillPath(path, parameters), query, accept: 'text/csv' })).body
}
