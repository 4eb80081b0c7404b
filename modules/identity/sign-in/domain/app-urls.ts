/** URLs at which native apps receive the end of a sign-in (RFC 8252). */
import { parseUrl } from '@larder-dev/larder/kernel'
import { isAppScheme } from '@larder-dev/larder/kernel/internal'

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]')

/** A scheme of a domain such as `com.acme.app:`, an https URL that belongs to an app, or a port of the device. */
export function isAppUrl(text: string): boolean {
  const url = parseUrl(text)
  if (!url) return false
  return (
    url.hash === '' && url.search === '' && (isAppScheme(url.protocol) || url.protocol === 'https:' || isLoopback(url))
  )
}

/** Whether the recipe declares the URL. Apps that listen on the device choose the port when they start. */
export function isDeclared(declared: readonly string[], given: string): boolean {
  if (declared.includes(given)) return true
  if (!URL.canParse(given)) return false
  const url = new URL(given)
  return isLoopback(url) && declared.some(each => isSameButPort(new URL(each), url))
}

function isSameButPort(declared: URL, given: URL): boolean {
  const copy = new URL(given)
  copy.port = declared.port
  return copy.href === declared.href
}
