import { type Deps, page } from 'larder/kernel'
import { createMailbox, mayReadMailbox, READ_MAILBOX } from './mailbox.ts'

const ALLOW = [READ_MAILBOX, 'public'] as const
const PAGE = 50
const QUIET = { 'cache-control': 'no-store' }

/** The frame with the mail in it is held to this too: nothing in a mail runs, or loads from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function mailboxPages(deps: Deps<'database' | 'product' | 'mailTransport'>) {
  const mailbox = createMailbox(deps)
  return [
    page({
      name: 'comms.mailbox',
      path: '/mailbox',
      title: 'Mailbox',
      allow: ALLOW,
      async load({ caller, request, query }) {
        mayReadMailbox(caller, request, deps.product)
        const { data, nextCursor } = await mailbox.list({ limit: PAGE, cursor: query.cursor })
        const next = nextCursor && `/mailbox?cursor=${encodeURIComponent(nextCursor)}`
        const away = deps.mailTransport.name !== 'mailbox'
        return { data: { mails: data, next, away }, headers: QUIET }
      },
    }),
    page({
      name: 'comms.mail',
      path: '/mailbox/:id',
      title: 'Email',
      allow: ALLOW,
      async load({ caller, request, params, query }) {
        mayReadMailbox(caller, request, deps.product)
        const mail = await mailbox.find(String(params.id))
        const headers = Object.entries(mail.headers).map(([name, value]) => ({ name, value }))
        const shown = query.part === 'text' || query.part === 'headers' ? query.part : 'html'
        // Links of the mail open beside the mailbox, not inside the frame.
        const framed = mail.html.replace('<head>', '<head><base target="_blank">')
        return { data: { mail, headers, shown, framed }, headers: { ...QUIET, 'content-security-policy': POLICY } }
      },
    }),
  ]
}
