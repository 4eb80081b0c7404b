/** Requests to the providers of workspaces, only to public addresses: a workspace must not reach the network of the server. */
import { type Deps, inEnglish, MIB, once, SECOND, type Wording, wording } from '@larder-dev/larder/kernel'
import { isThisMachine, parseTarget } from '@larder-dev/larder/kernel/internal'
import type { CustomFetch } from 'openid-client'
import type { RequestInfo, RequestInit } from 'undici'
import type { IdentitySettings } from '../../options.ts'

const TIMEOUT_MS = 10 * SECOND
const MAX_RESPONSE_BYTES = MIB
const IDLE_TIMEOUT_MS = 4 * SECOND
const SETTING = 'modules.identity.signIn.enterprise.allowHosts'

export interface SsoFetch {
  readonly fetch: CustomFetch
  /** Why a provider can't be at this URL, as the end of a sentence; undefined if it can. */
  refusal(url: string): Wording | undefined
  /** Why a browser can't be sent to this URL, as the end of a sentence. It may be in the network of the organization. */
  browserRefusal(url: string): Wording | undefined
  /** Reads a document. Throws an Error that says why it can't. */
  read(url: string): Promise<string>
  /** The status of the response to a request. Redirects aren't followed. */
  statusOf(url: string): Promise<number>
  close(): Promise<void>
}

export function createSsoFetch({
  outbound,
  product,
  settings,
}: Deps<'outbound' | 'product'> & { readonly settings: IdentitySettings }): SsoFetch {
  const connections = outbound.connections({ allowHosts: settings.enterprise?.allowHosts, setting: SETTING })
  let agent: { close(): Promise<void> } | undefined
  const client = once(async () => {
    const { Agent, fetch } = await import('undici')
    const connect = connections.connector(TIMEOUT_MS)
    const dispatcher = new Agent({
      connect,
      maxResponseSize: MAX_RESPONSE_BYTES,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
    })
    agent = dispatcher
    return (url: RequestInfo, options: RequestInit) => fetch(url, { ...options, dispatcher })
  })

  function browserRefusal(url: string): Wording | undefined {
    const target = parseTarget(url)
    return target?.secure || (target && !product.production && isThisMachine(target))
      ? undefined
      : wording('must use https')
  }
  const refusal = (url: string): Wording | undefined => connections.refusal(url) ?? browserRefusal(url)

  const send: CustomFetch = async (url, options) => {
    const refused = refusal(url)
    if (refused !== undefined) throw new Error(`${new URL(url).host} ${inEnglish(refused)}`)
    const request = await client()
    // The classes of undici are those of the global fetch in another copy.
    return (await request(url, options as unknown as RequestInit)) as unknown as Response
  }

  async function get(url: string): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return send(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal })
  }

  return {
    refusal,
    browserRefusal,
    fetch: send,
    async statusOf(url) {
      const { status, body } = await get(url)
      await body?.cancel()
      return status
    },
    async read(url) {
      const response = await get(url)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${new URL(url).host} answered ${response.status}`)
      return text
    },
    async close() {
      await agent?.close()
    },
  }
}
