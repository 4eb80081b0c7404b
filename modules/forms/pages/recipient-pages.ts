/** Pages that links in form notifications open. Only a form submission has an effect, because mail scanners follow links. */
import { type Deps, HOUR, type PageResult, Problem, page, type RateLimit } from '@larder-dev/larder/kernel'
import { LINK_PATHS } from '../domain/recipients.ts'
import type { LinkDetails } from '../services/recipient-confirmation.ts'

const NO_STORE = { 'cache-control': 'no-store' }
/** High, because email scanners open the links of many recipients from few addresses. */
const LIMITS: readonly RateLimit[] = [{ name: 'forms.notification_link', points: 600, window: HOUR, by: 'ip' }]

export function recipientPages({ formServices: { confirmation } }: Deps<'formServices'>) {
  const confirm = page({
    name: 'forms.confirm_notifications',
    path: LINK_PATHS.confirm,
    title: 'Form notifications',
    allow: 'public',
    limits: LIMITS,
    load: ({ query: { token = '' } }) => render(token, false, () => confirmation.preview(token)),
    post: ({ form: { token = '' }, locale }) => render(token, true, () => confirmation.confirm(token, locale)),
  })

  const unsubscribe = page({
    name: 'forms.unsubscribe',
    path: LINK_PATHS.unsubscribe,
    title: 'Form notifications',
    allow: 'public',
    limits: LIMITS,
    load: ({ query: { token = '' } }) => render(token, false, () => confirmation.subscription(token)),
    post: ({ form: { token = '', action } }) =>
      render(token, true, () =>
        action === 'resubscribe' ? confirmation.resubscribe(token) : confirmation.unsubscribe(token),
      ),
  })

  return [confirm, unsubscribe]
}

async function render(token: string, done: boolean, details: () => Promise<LinkDetails>): Promise<PageResult> {
  try {
    const { address, workspace = null, subscribed } = await details()
    return { data: { token, done, address, workspace, subscribed, broken: null }, headers: NO_STORE }
  } catch (error) {
    if (!Problem.is(error) || error.code !== 'bad_notification_link') throw error
    return { data: { broken: error.message }, status: error.status, headers: NO_STORE }
  }
}
