/** Connections for webhooks: to the very addresses that were checked, and to no other. */
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { isPublicAddress } from '../domain/ip-addresses.ts'
import type { Allowed, Target } from '../domain/targets.ts'

export interface Address {
  readonly address: string
  readonly family: number
}
/** Every address of a name. `local` names may stand in the hosts file. */
export type Resolve = (hostname: string, local: boolean) => Promise<readonly Address[]>
/** Opens a socket to one of `addresses`; `hostname` is what a certificate must name. */
export type Connect = (to: {
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
  readonly addresses: readonly Address[]
}) => Socket

/** The address must not be reached: nothing was sent. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Resolves once, checks EVERY address, and hands on what it checked. Throws Refused. */
export function createDialer(isAllowed: Allowed, resolve: Resolve, connect: Connect) {
  return async ({ hostname, host, port, secure }: Omit<Target, 'url' | 'address'>): Promise<Socket> => {
    const local = isAllowed({ hostname, host })
    const addresses = isIP(hostname) ? [{ address: hostname, family: isIP(hostname) }] : await resolve(hostname, local)
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    if (!local && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new Refused(`${hostname} leads to an address that is not public`)
    return connect({ hostname, port, secure, addresses })
  }
}
export type Dial = ReturnType<typeof createDialer>

/** By DNS alone and off the thread pool, where a slow name server would hold up files and passwords. */
export function createResolve(): Resolve {
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
  const checked: LookupFunction = (_name, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
  const to = { host: hostname, port, lookup: checked, autoSelectFamily: true }
  const named = isIP(hostname) === 0 ? { servername: hostname } : {}
  return secure ? tlsConnect({ ...to, ...named, ALPNProtocols: ['http/1.1'] }) : netConnect(to)
}
