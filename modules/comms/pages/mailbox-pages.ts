import { type Deps, page } from '@larder-dev/larder/kernel'
import { assertMailboxAccess, createMailbox, READ_MAILBOX_PERMISSION } from '../services/mailbox.ts'
import type { TransportDeps } from '../services/transports/transport.ts'

const ALLOW = [READ_MAILBOX_PERMISSION, 'public'] as const
const PAGE_SIZE = 50
const NO_STORE = { 'cache-control': 'no-store' }

/** Also applies to the frame with the email: it can't load remote content, and its sandbox prevents scripts and forms. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function mailboxPages(deps: TransportDeps & Deps<'systemDatabase' | 'product'>) {
  const mailbox = createMailbox(deps)
  return [
    page({
      name: 'comms.mailbox',
      path: '/mailbox',
      title: 'Mailbox',
      allow: ALLOW,
      async load({ caller, request, query }) {
        assertMailboxAccess(caller, request, deps.product)
        const { data, nextCursor } = await mailbox.list({ limit: PAGE_SIZE, cursor: query.cursor })
        const next = nextCursor && `/mailbox?cursor=${encodeURIComponent(nextCursor)}`
        const away = deps.mailTransport.name !== 'mailbox'
        return { data: { mails: data, next, away }, headers: NO_STORE }
      },
    }),
    page({
      name: 'comms.mail',
      path: '/mailbox/:id',
      title: 'Email',
      allow: ALLOW,
      async load({ caller, request, params, query }) {
        assertMailboxAccess(caller, request, deps.product)
        const mail = await mailbox.find(String(params.id))
        const headers = Object.entries(mail.headers).map(([name, value]) => ({ name, value }))
        const shown = query.part === 'text' || query.part === 'headers' ? query.part : 'html'
        // Links of the email open in a new tab instead of the frame.
        const framed = mail.html.replace('<head>', '<head><base target="_blank">')
        return {
          data: { mail, headers, shown, framed },
          headers: { ...NO_STORE, 'content-security-policy': CONTENT_SECURITY_POLICY },
        }
      },
    }),
  ]
}
