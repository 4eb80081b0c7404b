/** Email addresses, whose domain may be written in Unicode or in ASCII. Pure. */
import { domainToASCII } from 'node:url'

/** domainToASCII parses hosts of URLs: it would accept `a%2eb` and drop tabs. */
const HOST = /^[^\s%/?#@:[\]]+$/

/** The address with its domain in lowercase ASCII; undefined if the domain has no such form. */
export function asciiAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const domain = HOST.test(host) ? domainToASCII(host) : ''
  return at < 0 || domain === '' ? undefined : `${address.slice(0, at)}@${domain}`
}

/** The form in which addresses are compared: lower case, with an ASCII domain. */
export function emailKey(address: string): string {
  const normal = address.normalize('NFC')
  return (asciiAddress(normal) ?? normal).toLowerCase()
}
