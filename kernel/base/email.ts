/** Email addresses, whose domain may be written in Unicode or in ASCII. Pure. */
import { domainToASCII } from 'node:url'
import { trimmed } from './names.ts'

/** domainToASCII parses hosts of URLs: it would accept `a%2eb` and drop tabs. */
const HOST = /^[^\s%/?#@:[\]]+$/

/** Longer texts are no addresses. Unicode normalization takes the square of the number of combining marks. */
const MAX_LENGTH = 1024

/** The address with its domain in lowercase ASCII; undefined if the domain has no such form. */
export function asciiAddress(address: string): string | undefined {
  if (address.length > MAX_LENGTH) return undefined
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const domain = HOST.test(host) ? domainToASCII(host) : ''
  return at < 0 || domain === '' ? undefined : `${address.slice(0, at)}@${domain}`
}

/** The address as it is stored: without what surrounds a pasted one, in NFC. */
export const cleanAddress = (typed: string): string =>
  typed.length > MAX_LENGTH ? typed : trimmed(typed).normalize('NFC')

/** The form in which addresses are compared: lower case, with an ASCII domain. */
export function emailKey(address: string): string {
  const normal = cleanAddress(address)
  return (asciiAddress(normal) ?? normal).toLowerCase()
}
