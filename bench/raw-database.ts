/** How the raw servers connect, and how they know their caller: as any product must, by the secret of the login. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import pg from 'pg'

/** A statement whose value $1 is `secretHash(request)`. */
export const CALLER = `select l.id, u.id as user_id, m.tenant_id from raw_logins l join raw_users u on u.id = l.user_id
  join raw_members m on m.user_id = u.id where l.secret_hash = $1`

export const secretHash = (request: IncomingMessage): string =>
  createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest('hex')

/** As many as a process of Larder has. */
export const CONNECTIONS = 16
export const createPool = (url: string): pg.Pool => new pg.Pool({ connectionString: url, max: CONNECTIONS })
