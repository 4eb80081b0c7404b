/** How the raw servers know their caller: as any product must, by the secret of the login, in the statement of the request. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A statement whose value $1 is `secretHash(request)`. */
export const CALLER = `select l.id, u.id as user_id, m.tenant_id from raw_logins l join raw_users u on u.id = l.user_id
  join raw_members m on m.user_id = u.id where l.secret_hash = $1`

export const secretHash = (request: IncomingMessage): string =>
  createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest('hex')
