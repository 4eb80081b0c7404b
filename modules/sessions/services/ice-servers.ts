/** Time-limited TURN credentials for coturn's `use-auth-secret` (draft-uberti-behave-turn-rest-00). */
import { createHmac } from 'node:crypto'
import { type Deps, HOUR, milliseconds, SECOND } from '@larder-dev/larder/kernel'
import { iceUrls, type SessionsOptions } from '../options.ts'
import type { IceServer, IceServers } from '../ports.ts'

/** `expiry` is seconds since 1970. */
export function turnCredential(secret: string, expiry: number, peerId: string) {
  const username = `${expiry}:${peerId}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}

export function createIceServers({ clock }: Deps<'clock'>, options: SessionsOptions): IceServers {
  const { turn } = options
  const urls = iceUrls(options)
  const isTurn = (url: string) => /^turns?:/.test(url)
  const stun: IceServer[] = urls.some(url => !isTurn(url)) ? [{ urls: urls.filter(url => !isTurn(url)) }] : []
  const relays = urls.filter(isTurn)
  // During a rotation coturn accepts both secrets. New credentials use the newest one.
  const secret = turn?.secret?.split(',').find(part => part.trim() !== '')
  const ttl = turn?.ttl === undefined ? 4 * HOUR : milliseconds(turn.ttl)

  return {
    forPeer(peerId) {
      if (relays.length === 0) return { ice_servers: stun, ice_expires_at: null }
      if (secret === undefined) return { ice_servers: [...stun, { urls: relays }], ice_expires_at: null }
      const expiry = Math.floor((clock.now() + ttl) / SECOND)
      return {
        ice_servers: [...stun, { urls: relays, ...turnCredential(secret.trim(), expiry, peerId) }],
        ice_expires_at: new Date(expiry * SECOND).toISOString(),
      }
    },
  }
}
