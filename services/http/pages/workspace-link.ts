/** Links with `?workspace=<ID or slug>` select a workspace for pages. The reader must be a member of it. Pure. */
import { TENANT_PARAMETER, tenantCookie } from '@larder-dev/larder/kernel/internal'
import { singleValues } from '../api/query.ts'

const MAX_TENANT_LENGTH = 128
const PREFIX = `${TENANT_PARAMETER}=`

interface LinkRequest {
  readonly method: string
  readonly path: string
  readonly search: string
}

/** The workspace that the query of a GET request names. */
export function linkedTenant({ method, search }: Omit<LinkRequest, 'path'>): string | undefined {
  if (method !== 'GET' || !search.includes(PREFIX)) return undefined
  return singleValues(search)[TENANT_PARAMETER]?.slice(0, MAX_TENANT_LENGTH) || undefined
}

/** The same page without the parameter, with the cookie that selects the workspace. */
export function redirectIntoTenant({ path, search }: LinkRequest, tenantId: string, secure: boolean) {
  // `//host` would be another host.
  const page = `/${path.replace(/^[/\\]+/, '')}`
  const rest = search.split('&').filter(part => !part.startsWith(PREFIX))
  return {
    location: rest.length === 0 ? page : `${page}?${rest.join('&')}`,
    'set-cookie': [tenantCookie(tenantId, { secure })],
  }
}
