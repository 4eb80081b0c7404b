/** Stream paths and credentials in requests of the media edge. Pure. */

const STREAM_ID = /^ses_[0-9a-z]{26}$/

/** `live/ses_…` → `ses_…`; undefined for other paths. */
export function parseStreamPath(prefix: string, path: string): string | undefined {
  const trimmed = path.replace(/^\//, '')
  const id = trimmed.startsWith(prefix) ? trimmed.slice(prefix.length) : ''
  return STREAM_ID.test(id) ? id : undefined
}

/** Tokens in a request of the edge, in order of precedence. */
export function extractTokens({
  token,
  password,
  query,
}: {
  token?: string
  password?: string
  query?: string
}): string[] {
  const params = new URLSearchParams(query ?? '')
  const candidates = [token, password, params.get('join_token'), params.get('token'), params.get('jwt')]
  return [...new Set(candidates.filter(text => text !== undefined && text !== null && text !== ''))] as string[]
}
