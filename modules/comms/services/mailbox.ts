/** Reads the emails that the mailbox transport stored, and controls access to them. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  missingPermission,
  type PageOf,
  type Product,
  type RequestFacts,
  toPage,
} from '@larder-dev/larder/kernel'

export const READ_MAILBOX_PERMISSION = 'communications.mailbox.read'

export interface StoredMail {
  readonly id: string
  readonly messageId: string
  readonly tenantId: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly createdAt: Date
}
export interface StoredMailDetail extends StoredMail {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
  readonly text: string
}
export interface Mailbox {
  /** Newest first. */
  list(query: { limit: number; cursor?: string; to?: string }): Promise<PageOf<StoredMail>>
  /** Throws `not_found`. */
  find(id: string): Promise<StoredMailDetail>
}

const COLUMNS = `id, message_id as "messageId", tenant_id as "tenantId", sender as "from", recipient as "to", subject,
  created_at as "createdAt"`

export function createMailbox({ systemDatabase }: Deps<'systemDatabase'>): Mailbox {
  const system = () => systemDatabase.acrossTenants('the mailbox holds emails of every tenant')
  return {
    async list({ limit, cursor, to }) {
      const [after] = decodeCursor(cursor, 1) ?? [null]
      const { rows } = await system().query<StoredMail>(
        `select ${COLUMNS} from comms_mailbox
          where ($1::text is null or id < $1) and ($2::text is null or lower(recipient) = lower($2))
          order by id desc limit $3`,
        [after, to ?? null, limit + 1],
      )
      return toPage(rows, limit, row => [row.id])
    },
    async find(id) {
      const { rows } = await system().query<StoredMailDetail>(
        `select ${COLUMNS}, headers, html, text from comms_mailbox where id = $1`,
        [id],
      )
      if (!rows[0]) throw common.not_found({ what: 'mail' })
      return rows[0]
    },
  }
}

type MailboxRequest = Pick<RequestFacts, 'ip' | 'headers'>

/**
 * Throws unless the caller has the permission or, outside production, the request comes from this machine: from a
 * loopback address, without a proxy, and not from a browser on behalf of another site (by a cross-site request or DNS
 * rebinding).
 */
export function assertMailboxAccess(caller: Caller | undefined, request: MailboxRequest, product: Product): void {
  if (caller?.can(READ_MAILBOX_PERMISSION)) return
  if (!product.production && isLocalRequest(request, product)) return
  if (!caller) throw common.unauthenticated()
  throw missingPermission(READ_MAILBOX_PERMISSION)
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

function isLocalRequest({ ip, headers }: MailboxRequest, { publicUrl }: Product): boolean {
  if (!/^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(ip)) return false
  if (PROXY_HEADERS.some(name => headers[name] !== undefined)) return false
  const requestUrl = `http://${headers.host ?? ''}`
  if (!URL.canParse(requestUrl)) return false
  const { host, hostname } = new URL(requestUrl)
  if (!LOCAL_NAMES.has(hostname) && host !== new URL(publicUrl).host) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || (URL.canParse(headers.origin) && new URL(headers.origin).host === host)
}
