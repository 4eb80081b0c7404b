/** nginx, Caddy and HAProxy in front of the web processes. */
import { startCaddy, startHaproxy, startNginx, type TlsProxy } from '../system/proxies.ts'
import type { Cleanup } from './programs.ts'

export interface WebProxy extends Pick<TlsProxy, 'url' | 'ca'> {
  readonly name: string
}

const PROGRAMS = { nginx: startNginx, Caddy: startCaddy, HAProxy: startHaproxy }

/** @param targets addresses of the web processes. */
export async function startWebProxies(
  t: Cleanup,
  targets: readonly [string, ...string[]],
): Promise<readonly WebProxy[]> {
  const proxies: WebProxy[] = []
  for (const [name, start] of Object.entries(PROGRAMS)) {
    const { url, ca, close } = await start(targets)
    t.teardown(close)
    proxies.push({ name, url, ca })
  }
  return proxies
}
