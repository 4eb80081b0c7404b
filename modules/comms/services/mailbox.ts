/** What the mailbox transport kept, and who may look at it. */

import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  type Product,
  type RequestFacts,
  toPage,
} from 'larder/kernel'
export const READ_MAILBOX = 'communications.mailbox.read'

export interface KeptMail {
  readonly id: string
  readonly messageId: string
  readonly tenantId: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly createdAt: Date
}
export interface WholeMail extends KeptMail {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
  readonly text: string
}
export interface Mailbox {
  /** Newest first. */
  list(query: { limit: number; cursor?: string; to?: string }): Promise<PageOf<KeptMail>>
  /** Throws problem `not_found`. */
  find(id: string): Promise<WholeMail>
}

const WHY = 'the mailbox holds mail of every tenant'
const COLUMNS = `id, message_id as "messageId", tenant_id as "tenantId", sender as "from", recipient as "to", subject,
  created_at as "createdAt"`

export function createMailbox({ database }: Deps<'database'>): Mailbox {
  return {
    async list({ limit, cursor, to }) {
      const [after] = decodeCursor(cursor, 1) ?? [null]
      const { rows } = await database.system(WHY).query<KeptMail>(
        `select ${COLUMNS} from comms_mailbox
          where ($1::text is null or id < $1) and ($2::text is null or lower(recipient) = lower($2))
          order by id desc limit $3`,
        [after, to ?? null, limit + 1],
      )
      return toPage(rows, limit, row => [row.id])
    },
    async find(id) {
      const { rows } = await database
        .system(WHY)
        .query<WholeMail>(`select ${COLUMNS}, headers, html, text from comms_mailbox where id = $1`, [id])
      if (!rows[0]) throw common.not_found({ what: 'mail' })
      return rows[0]
    },
  }
}

type Asked = Pick<RequestFacts, 'ip' | 'headers'>

/**
 * Throws unless the caller holds the permission, or sits on this machine outside production. Sitting here means: the
 * socket's own address, no proxy before it, and no foreign page that makes a browser on this machine ask (by a
 * request across sites, or by a host name of its own that points here).
 */
export function mayReadMailbox(caller: Caller | undefined, request: Asked, product: Product): void {
  if (caller?.can(READ_MAILBOX)) return
  if (!product.production && isLocal(request, product)) return
  if (!caller) throw common.unauthenticated()
  throw common.forbidden({ permission: READ_MAILBOX }, { requiredPermission: READ_MAILBOX })
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

function isLocal({ ip, headers }: Asked, { publicUrl }: Product): boolean {
  if (!/^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(ip)) return false
  if (PROXY_HEADERS.some(name => headers[name] !== undefined)) return false
  const asked = `http://${headers.host ?? ''}`
  if (!URL.canParse(asked)) return false
  const { host, hostname } = new URL(asked)
  if (!LOCAL_NAMES.has(hostname) && host !== new URL(publicUrl).host) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || (URL.canParse(headers.origin) && new URL(headers.origin).host === host)
}
