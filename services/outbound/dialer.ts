/** Opens connections for requests to URLs of tenants, only to addresses that were verified to be public. */
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { parseTarget, SECOND, type Target } from '@larder-dev/larder/kernel/internal'
import type { buildConnector } from 'undici'
import { isPublicAddress } from './public-address.ts'
import type { IsAllowedHost } from './targets.ts'

export interface Address {
  readonly address: string
  readonly family: number
}
/** Resolves all addresses of a name. `local` names may come from the hosts file. */
export type Resolve = (hostname: string, local: boolean) => Promise<readonly Address[]>
/** Opens a socket to one of `addresses`. A certificate must be valid for `hostname`. */
export type Connect = (to: {
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
  readonly addresses: readonly Address[]
}) => Socket

/** The address is not allowed; nothing was sent. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
}

/** Resolves the name once, verifies every address and connects to these addresses only. Throws AddressRefusedError. */
export function createDialer(isAllowed: IsAllowedHost, resolve = createResolver(), connect = connectTo): Dial {
  return async ({ hostname, host, port, secure }) => {
    const local = isAllowed({ hostname, host })
    const addresses = isIP(hostname) ? [{ address: hostname, family: isIP(hostname) }] : await resolve(hostname, local)
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    if (!local && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new AddressRefusedError(`${hostname} resolves to an address that is not public`)
    return connect({ hostname, port, secure, addresses })
  }
}
export type Dial = (target: Omit<Target, 'url' | 'address'>) => Promise<Socket>

/** Uses DNS instead of the thread pool, where a slow name server would delay file access and password hashing. */
function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  return async (hostname, local) => {
    if (local) return lookup(hostname, { all: true })
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...toAddresses(v4, 4), ...toAddresses(v6, 6)]
  }
}

const toAddresses = (answer: PromiseSettledResult<string[]>, family: number): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family })) : []

export const connectTo: Connect = ({ hostname, port, secure, addresses }) => {
  const verifiedLookup: LookupFunction = (_name, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
  const to = { host: hostname, port, lookup: verifiedLookup, autoSelectFamily: true }
  const named = isIP(hostname) === 0 ? { servername: hostname } : {}
  return secure ? tlsConnect({ ...to, ...named, ALPNProtocols: ['http/1.1'] }) : netConnect(to)
}

/**
 * Connects an agent of `undici` through the dialer, which verifies the address.
 * @param timeout in milliseconds
 */
export function createConnector(dial: Dial, timeout: number): buildConnector.connector {
  return ({ protocol, host }, done) => {
    const target = parseTarget(`${protocol}//${host}`)
    if (!target) return done(new AddressRefusedError('the URL is not an http or https URL'), null)
    dial(target).then(socket => connected(socket, target.secure, timeout).then(() => done(null, socket), fail), fail)
    function fail(error: unknown): void {
      done(error instanceof Error ? error : new Error(String(error)), null)
    }
  }
}

function connected(socket: Socket, secure: boolean, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeout / SECOND} s`)), timeout)
    socket
      .setNoDelay(true)
      .once(secure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer)
        resolve()
      })
      .on('close', () => clearTimeout(timer))
      .on('error', error => {
        Object.assign(error, { stale: socket.bytesRead > 0 })
        reject(error)
      })
  })
}
