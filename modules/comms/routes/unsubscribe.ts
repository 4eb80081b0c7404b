import { type Deps, KIB, MINUTE, Problem, page, rawRoute, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { createUnsubscribing, UNSUBSCRIBE_PATH } from '../unsubscribe.ts'

type UnsubscribeDeps = Deps<'database' | 'clock' | 'secrets'>
/** Providers of mailboxes click for many readers from few addresses. */
const LIMITS = [{ name: 'communications.unsubscribe', points: 600, window: MINUTE, by: 'ip' }] as const
const OneClick = Type.Object({ 'List-Unsubscribe': Type.Optional(Type.Literal('One-Click')) })
const QUIET = { 'cache-control': 'no-store' }

/** Looking changes nothing: scanners of mail follow every link. */
export function unsubscribePages(deps: UnsubscribeDeps) {
  const unsubscribing = createUnsubscribing(deps)
  return [
    page({
      name: 'comms.unsubscribe',
      path: UNSUBSCRIBE_PATH,
      title: 'Unsubscribe',
      allow: 'public',
      async load({ query: { token = '' } }) {
        try {
          const action = `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`
          return { data: { ...(await unsubscribing.look(token)), action, broken: undefined }, headers: QUIET }
        } catch (error) {
          if (!Problem.is(error) || error.code !== 'bad_unsubscribe_link') throw error
          return { data: { broken: error.message }, status: error.status, headers: QUIET }
        }
      },
    }),
  ]
}

/** Raw, because a mailbox posts `List-Unsubscribe=One-Click` as a form, from no page and without an Origin. */
export function unsubscribeRoutes(deps: UnsubscribeDeps) {
  const unsubscribing = createUnsubscribing(deps)
  return [
    rawRoute({
      method: 'post',
      path: UNSUBSCRIBE_PATH,
      allow: 'public',
      summary:
        'Ends marketing mail to the reader of a mail, by the token of its link (RFC 8058); again changes nothing.',
      limits: LIMITS,
      docs: {
        query: Type.Object({ token: Type.String({ description: 'Of the link in the mail' }) }),
        body: { 'application/x-www-form-urlencoded': OneClick, 'multipart/form-data': OneClick },
        replies: { 200: { 'text/plain': null }, 303: null },
        problems: [problems.bad_unsubscribe_link],
      },
      async handle(request, response, { readBody }) {
        const token = new URL(request.originalUrl, 'http://localhost').searchParams.get('token') ?? ''
        const action = actionOf(request.headers['content-type'], await readBody(16 * KIB))
        if (action === 'resubscribe') await unsubscribing.comeBack(token)
        else await unsubscribing.leave(token)
        response.setHeader('cache-control', 'no-store')
        // A mailbox must not be sent elsewhere (RFC 8058, 3.1); a browser is shown how it stands now.
        if (action === undefined) response.status(200).type('text/plain').send('You have been unsubscribed.\n')
        else response.redirect(303, `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`)
      },
    }),
  ]
}

/** What a form of our page asks for. Anything else that is posted, in whatever form, is the one click. */
function actionOf(type = '', body: Buffer): string | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined
  return new URLSearchParams(body.toString('utf8')).get('action') ?? undefined
}
