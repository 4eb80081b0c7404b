import { bytes, type Deps, milliseconds } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../../options.ts'
import type { VirusScanner } from '../../ports.ts'
import { createClamd } from './clamd.ts'

/** Another module's scanner, or clamd if `url` is set. Without a scanner, every file counts as clean. */
export function createScanner({ virusScanner }: Deps<never, 'virusScanner'>, { scanner }: MediaOptions): VirusScanner {
  if (virusScanner) return virusScanner
  const { driver = 'auto', url, maxBytes, timeout } = scanner
  if (driver === 'none' || url === '') return { scan: async () => ({ verdict: 'clean' }) }
  const { hostname, port } = new URL(url)
  return createClamd({
    // A URL has the address of IPv6 in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port),
    maxBytes: bytes(maxBytes),
    timeout: milliseconds(timeout),
  })
}
