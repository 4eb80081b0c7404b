/** Validation of URLs to which tenants let the server send requests, without DNS lookups. */
import { isIP } from 'node:net'
import {
  isLoopbackName,
  isThisMachine,
  MAX_URL_LENGTH,
  parseTarget,
  parseUrl,
  type Target,
  wording,
} from '@larder-dev/larder/kernel/internal'
import type { OutboundConnections } from './ports.ts'
import { isPublicAddress } from './public-address.ts'

export type IsAllowedHost = (target: Pick<Target, 'hostname' | 'host'>) => boolean

/**
 * Hosts that requests may reach regardless of their address: `localhost, hooks.internal:8080`.
 * @param thisMachine allows loopback hosts too, for development
 */
export function parseAllowedHosts(hosts: string | readonly string[] = [], thisMachine = false): IsAllowedHost {
  const entries = (typeof hosts === 'string' ? hosts.split(',') : hosts)
    .map(host =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/\.+$/, ''),
    )
    .filter(host => host !== '')
  return target =>
    entries.includes(target.hostname) || entries.includes(target.host) || (thisMachine && isThisMachine(target))
}

/** @param setting path of the option of the recipe that allows hosts */
export const createTargets = (isAllowed: IsAllowedHost, setting: string): Pick<OutboundConnections, 'refusal'> => ({
  refusal(text) {
    const target = parseTarget(text)
    if (!target)
      return wording('must be an absolute http or https URL of at most {limit} characters', { limit: MAX_URL_LENGTH })
    if (target.url.username !== '' || target.url.password !== '')
      return wording('must not contain a user name or password')
    if (target.port === 0) return wording('must not use port 0')
    if (!parseUrl(text)) return wording('must name a host that can exist')
    if (isAllowed(target)) return undefined
    const isName = isIP(target.hostname) === 0
    const isPublic = isName ? !isLoopbackName(target.hostname) : isPublicAddress(target.hostname)
    return isPublic
      ? undefined
      : wording('must not lead to this machine or a private network, unless `{setting}` of the recipe names the host', {
          setting,
        })
  },
})
