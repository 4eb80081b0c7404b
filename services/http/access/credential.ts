/** Reads the credential of a request. Pure. */

import type { IncomingHttpHeaders } from 'node:http'
import { type Credential, LOGIN_COOKIE, readCookie } from '@larder-dev/larder/kernel/internal'

const MAX_SECRET_LENGTH = 512

/** An explicit header precedes the cookie, which browsers send by themselves. */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization } = headers
  if (authorization !== undefined && /^bearer /i.test(authorization))
    return shown('bearer', authorization.slice('bearer '.length).trim())
  const key = headers['x-api-key']
  if (typeof key === 'string') return shown('apiKey', key.trim())
  const secret = readCookie(headers.cookie, LOGIN_COOKIE)
  return secret === undefined ? undefined : shown('cookie', secret)
}

/** A secret over the limit becomes the empty string, which no lookup finds. */
const shown = (kind: Credential['kind'], secret: string): Credential => ({
  kind,
  secret: secret.length > MAX_SECRET_LENGTH ? '' : secret,
})
