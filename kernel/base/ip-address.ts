/** The client address of a request. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** The address of the client. Trusts the last `hops` proxies only. */
export function clientAddress(remote: string | undefined, headers: IncomingHttpHeaders, hops: number): string {
  const peer = plain(remote ?? '')
  if (hops === 0) return peer
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const chain = forwarded.split(',').map(part => plain(part.trim()))
  // Each proxy appends its peer; entries further left may be forged by the client.
  const claimed = chain[Math.max(chain.length - hops, 0)] ?? ''
  return isIP(claimed) === 0 ? peer : claimed
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The key of rate limits: an IPv6 network of /64 counts as one address. */
export function addressKey(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0)
  return `${[...left, ...Array(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`
}

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether the request comes from this machine, and no header shows a proxy. */
export function isLoopback(remote: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (FORWARDING_HEADERS.some(name => headers[name] !== undefined)) return false
  const peer = plain(remote ?? '')
  return peer === '::1' || peer.startsWith('127.')
}
