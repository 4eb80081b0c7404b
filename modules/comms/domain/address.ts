/** Mail addresses: one bare address, never a list, a name or a second line. */
import { domainToASCII } from 'node:url'
import { problems } from '../problems.ts'
import type { Address } from '../services/transports/transport.ts'

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * The address with its domain in ASCII and lower case: the dot-atom form of RFC 5321, at most 254 characters.
 * Throws problem `invalid_address`.
 */
export function bareAddress(text: string, pointer = '/to'): string {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const given = text.slice(at + 1)
  // domainToASCII reads an address of the web: it would take `a%2eb` and drop tabs.
  const domain = /^[^\s%/?#@:[\]]+$/.test(given) ? domainToASCII(given) : ''
  const address = `${local}@${domain}`
  if (local.length > 64 || address.length > 254 || !LOCAL.test(local) || !DOMAIN.test(domain))
    throw problems.invalid_address(
      { address: text.slice(0, 80) },
      {
        errors: [{ pointer, code: 'wrong_format', detail: 'must be one address like ada@example.com' }],
      },
    )
  return address
}

/** How two addresses are compared: without case. */
export const addressKey = (address: string): string => address.toLowerCase()

const NAMED = /^\s*(?:"([^"\\<>\r\n]*)"|([^"<>@,\r\n]*?))\s*<([^<>\s]+)>\s*$/

/** `Acme <hello@acme.test>` or `hello@acme.test`. Throws problem `invalid_address`. */
export function namedAddress(text: string): Address {
  const [, quoted, plain, address] = NAMED.exec(text) ?? []
  return address
    ? { name: quoted ?? plain ?? '', address: bareAddress(address) }
    : { name: '', address: bareAddress(text.trim()) }
}
