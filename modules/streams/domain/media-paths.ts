/** Names of streams at the media edge. Pure. */

const STREAM_ID = /^ses_[0-9a-z]{26}$/

/** `live/ses_…` → `ses_…`; undefined for a path of somebody else. */
export function streamOfPath(prefix: string, path: string): string | undefined {
  const bare = path.replace(/^\//, '')
  const id = bare.startsWith(prefix) ? bare.slice(prefix.length) : ''
  return STREAM_ID.test(id) ? id : undefined
}

/** Tokens that a question of the edge may carry, in the order in which they count. */
export function tokensOf({ token, password, query }: { token?: string; password?: string; query?: string }): string[] {
  const asked = new URLSearchParams(query ?? '')
  const said = [token, password, asked.get('join_token'), asked.get('token'), asked.get('jwt')]
  return [...new Set(said.filter(text => text !== undefined && text !== null && text !== ''))] as string[]
}
