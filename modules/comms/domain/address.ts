/** Email addresses: exactly one, without a display name, a list or line breaks. */
import { fieldError, wording } from '@larder-dev/larder/kernel'
import { asciiAddress, cleanAddress } from '@larder-dev/larder/kernel/internal'
import { problems } from '../problems.ts'

export interface NamedAddress {
  readonly name: string
  readonly address: string
}

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Returns the address with its domain in lowercase ASCII. Accepts the dot-atom form of RFC 5321 with at most 254
 * characters. Throws `invalid_address`.
 */
export function parseAddress(text: string, pointer = '/to'): string {
  const address = asciiAddress(cleanAddress(text)) ?? ''
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(0, at)), address.slice(at + 1)]
  if (local.length > 64 || address.length > 254 || !LOCAL_PART.test(local) || !DOMAIN.test(domain))
    throw problems.invalid_address(
      { address: text.slice(0, 80) },
      {
        errors: [fieldError(pointer, 'wrong_format', wording('must be one address, such as ada@example.com'))],
      },
    )
  return address
}

const NAMED = /^\s*(?:"([^"\\<>\r\n]*)"|([^"<>@,\r\n]*?))\s*<([^<>\s]+)>\s*$/

const WITH_NAME = /^\s*"?(.*?)"?\s*<([^<>]*)>\s*$/

/** Why the text isn't one address with or without a name, and the form that would be; undefined if it is. */
export function namedAddressError(text: string): { message: string; hint: string } | undefined {
  if (isNamedAddress(text)) return undefined
  const [, name = '', address = text] = WITH_NAME.exec(text) ?? []
  const quoted = `"${name.replaceAll(/["\\]/g, '')}" <${address.trim()}>`
  return name !== '' && isNamedAddress(quoted)
    ? { message: `The name in "${text}" must be in double quotes`, hint: `Write '${quoted.replaceAll("'", "''")}'` }
    : { message: `"${text}" is not one email address`, hint: 'Write hello@acme.test or Acme <hello@acme.test>' }
}

function isNamedAddress(text: string): boolean {
  try {
    parseNamedAddress(text)
    return true
  } catch {
    return false
  }
}

/** Parses `Acme <hello@acme.test>` or `hello@acme.test`. Throws `invalid_address`. */
export function parseNamedAddress(text: string): NamedAddress {
  const [, quoted, plain, address] = NAMED.exec(text) ?? []
  return address
    ? { name: quoted ?? plain ?? '', address: parseAddress(address) }
    : { name: '', address: parseAddress(text.trim()) }
}
