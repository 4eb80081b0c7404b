import { type Deps, KIB, MINUTE, rawRoute, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { createUnsubscribeService, UNSUBSCRIBE_PATH } from '../services/unsubscribe-service.ts'

/** High, because email providers send the clicks of many users from few addresses. */
const LIMITS = [{ name: 'communications.unsubscribe', points: 600, window: MINUTE, by: 'ip' }] as const
const OneClick = Type.Object({ 'List-Unsubscribe': Type.Optional(Type.Literal('One-Click')) })

/** A raw route, because email providers post `List-Unsubscribe=One-Click` as a form without an Origin header. */
export function unsubscribeRoutes(deps: Deps<'database' | 'clock' | 'secrets'>) {
  const unsubscribeService = createUnsubscribeService(deps)
  return [
    rawRoute({
      method: 'post',
      path: UNSUBSCRIBE_PATH,
      operationId: 'unsubscribe',
      allow: 'public',
      summary: 'Unsubscribes a recipient from marketing emails, by the token of an email (RFC 8058). Idempotent.',
      limits: LIMITS,
      docs: {
        query: Type.Object({ token: Type.String({ description: 'The token of the unsubscribe link' }) }),
        body: { 'application/x-www-form-urlencoded': OneClick, 'multipart/form-data': OneClick },
        replies: { 200: { 'text/plain': null }, 303: null },
        problems: [problems.bad_unsubscribe_link],
      },
      async handle(request, response, { readBody }) {
        const token = new URL(request.originalUrl, 'http://localhost').searchParams.get('token') ?? ''
        const action = actionOf(request.headers['content-type'], await readBody(16 * KIB))
        if (action === 'resubscribe') await unsubscribeService.resubscribe(token)
        else await unsubscribeService.unsubscribe(token)
        response.setHeader('cache-control', 'no-store')
        // RFC 8058 (3.1) forbids a redirect for email providers. Browsers are redirected to the page.
        if (action === undefined) response.status(200).type('text/plain').send('You have been unsubscribed.\n')
        else response.redirect(303, `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`)
      },
    }),
  ]
}

/** The action of our page's form. Every other body, in any format, is a one-click unsubscribe. */
function actionOf(type = '', body: Buffer): string | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined
  return new URLSearchParams(body.toString('utf8')).get('action') ?? undefined
}
