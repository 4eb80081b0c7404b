/** Requests that the document starts before the application is there, which takes the responses. */
import { workspace } from './document.ts'

interface EarlyAnswers {
  /** Those whose answers have not arrived, or are problems. By their address and headers, as `bodies`. */
  readonly requests: Map<string, Promise<Response>>
  readonly bodies: Map<string, unknown>
  readonly arrivals: Promise<void>[]
  /** Resolves when the document has started its last request. */
  started?: Promise<void>
}
declare global {
  var earlyAnswers: EarlyAnswers | undefined
}
const answers = (): EarlyAnswers => {
  globalThis.earlyAnswers ??= { requests: new Map(), bodies: new Map(), arrivals: [] }
  return globalThis.earlyAnswers
}

export const requestHeaders = (language: string, accept = 'application/json'): Record<string, string> => ({
  accept,
  'accept-language': language,
  ...(workspace && { 'x-tenant-id': workspace.id }),
})

const screenPath = (): string => location.pathname.replace(/\/$/, '')
/** The screen that the document opened. */
const opened = screenPath()

const keyOf = (address: string, headers: Readonly<Record<string, string>>) => JSON.stringify([address, headers])

export function startRequest(address: string, headers: Readonly<Record<string, string>>): void {
  const { requests, bodies, arrivals } = answers()
  const key = keyOf(address, headers)
  const response = fetch(address, { headers, credentials: 'same-origin' }).then(
    // A body that nobody reads occupies its connection, and a suspended customer's home screen asks for nothing.
    async answer => new Response(await answer.blob(), answer),
  )
  requests.set(key, response)
  const keep = async (answer: Response): Promise<void> => {
    if (!answer.ok) return
    const body: unknown = await answer.clone().json()
    if (requests.get(key) !== response) return
    bodies.set(key, body)
    requests.delete(key)
  }
  // Who takes it learns of a failure.
  arrivals.push(response.then(keep).catch(() => undefined))
}

/** The document may start more requests until this has settled. */
export function moreRequestsFollow(started: Promise<void>): void {
  answers().started = started.catch(() => undefined)
}

/** Time in which the first screen takes what has arrived, in milliseconds. A part that appears later loads it itself. */
const KEPT_MS = 30_000

/** Resolves when the document has all answers that it has asked for, and at the latest after this time. */
export async function earlyAnswersArrived(maxMs: number): Promise<void> {
  const { arrivals, started } = answers()
  const arrived = Promise.resolve(started).then(() => Promise.all(arrivals))
  await Promise.race([arrived, new Promise(resolve => setTimeout(resolve, maxMs))])
  setTimeout(() => answers().bodies.clear(), KEPT_MS)
}

/** The body of a request that the document has started, for the document itself; undefined after a failure. */
export async function earlyAnswer<T>(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<T | undefined> {
  try {
    const response = await answers().requests.get(keyOf(address, headers))
    // The application reads the response itself.
    return response?.ok ? await response.clone().json() : undefined
  } catch {
    return undefined
  }
}

/** What the first screen has left has become old on another one. */
function forgetOnOtherScreens(): void {
  if (screenPath() === opened) return
  answers().requests.clear()
  answers().bodies.clear()
}

/** The body of a request that the document has started, if it has arrived. */
export function earlyBody(address: string, headers: Readonly<Record<string, string>>): unknown {
  forgetOnOtherScreens()
  return answers().bodies.get(keyOf(address, headers))
}

/** The response to a request that the document has started, for the first who asks before it arrives. */
export function takeEarly(address: string, headers: Readonly<Record<string, string>>): Promise<Response> | undefined {
  forgetOnOtherScreens()
  const { requests } = answers()
  const key = keyOf(address, headers)
  const response = requests.get(key)
  requests.delete(key)
  return response
}
