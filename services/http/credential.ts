/** What a request shows of itself. Pure. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Credential } from 'larder/kernel'
import { cookie } from './query.ts'

export const SESSION_COOKIE = 'platform_session'
export const TENANT_COOKIE = 'platform_tenant'
const MAX_SECRET_LENGTH = 512

/** What was put there on purpose wins over the cookie that a browser sends by itself. */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization } = headers
  if (authorization !== undefined && /^bearer /i.test(authorization))
    return shown('bearer', authorization.slice('bearer '.length).trim())
  const key = headers['x-api-key']
  if (typeof key === 'string') return shown('apiKey', key.trim())
  const secret = cookie(headers.cookie, SESSION_COOKIE)
  return secret === undefined ? undefined : shown('cookie', secret)
}

/** An absurdly long secret is kept as a short one that no look-up finds: it must not fill the cache. */
const shown = (kind: Credential['kind'], secret: string): Credential => ({
  kind,
  secret: secret.length > MAX_SECRET_LENGTH ? '' : secret,
})
