/** Requests that the document starts before the application is there, which takes the responses. */
import { workspace } from './document.ts'

declare global {
  /** By their address and headers. */
  var earlyRequests: Map<string, Promise<Response>> | undefined
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
  const response = fetch(address, { headers, credentials: 'same-origin' }).then(
    // A body that nobody reads occupies its connection, and a suspended customer's home screen asks for nothing.
    async answer => new Response(await answer.blob(), answer),
  )
  // Who takes it learns of a failure.
  response.catch(() => undefined)
  globalThis.earlyRequests ??= new Map()
  globalThis.earlyRequests.set(keyOf(address, headers), response)
}

/** The body of a request that the document has started, for the document itself; undefined after a failure. */
export async function earlyAnswer<T>(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<T | undefined> {
  try {
    const response = await globalThis.earlyRequests?.get(keyOf(address, headers))
    // The application reads the response itself.
    return response?.ok ? await response.clone().json() : undefined
  } catch {
    return undefined
  }
}

/**
 * The response to a request that the document has started, for the first who asks. On another screen there is none: what
 * the first one left has become old.
 */
export function takeEarly(address: string, headers: Readonly<Record<string, string>>): Promise<Response> | undefined {
  if (screenPath() !== opened) globalThis.earlyRequests?.clear()
  const key = keyOf(address, headers)
  const response = globalThis.earlyRequests?.get(key)
  globalThis.earlyRequests?.delete(key)
  return response
}
