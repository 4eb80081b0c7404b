/** Pages that links in form notifications open. Only a form submission has an effect, because mail scanners follow links. */
import { HOUR, type PageResult, Problem, page, type RateLimit, withContext } from '@larder-dev/larder/kernel'
import { LINK_PATHS } from '../domain/recipients.ts'
import type { LinkDetails } from '../services/recipient-confirmation.ts'
import type { FormServices } from '../services.ts'

const NO_STORE = { 'cache-control': 'no-store' }
/** High, because email scanners open the links of many recipients from few addresses. */
const LIMITS: readonly RateLimit[] = [{ name: 'forms.notification_link', points: 600, window: HOUR, by: 'ip' }]

export function recipientPages({ recipientConfirmation }: Pick<FormServices, 'recipientConfirmation'>) {
  const confirm = page({
    name: 'forms.confirm_notifications',
    path: LINK_PATHS.confirm,
    title: 'Form notifications',
    allow: 'public',
    limits: LIMITS,
    load: ({ query: { token = '' } }) => render(token, false, () => recipientConfirmation.preview(token)),
    post: ({ form: { token = '' }, locale }) => render(token, true, () => recipientConfirmation.confirm(token, locale)),
  })

  const unsubscribe = page({
    name: 'forms.unsubscribe',
    path: LINK_PATHS.unsubscribe,
    title: 'Form notifications',
    allow: 'public',
    limits: LIMITS,
    load: ({ query: { token = '' } }) =>
      evenIfSuspended(() => render(token, false, () => recipientConfirmation.subscription(token))),
    post: ({ form: { token = '', action } }) =>
      evenIfSuspended(() =>
        render(token, true, () =>
          action === 'resubscribe'
            ? recipientConfirmation.resubscribe(token)
            : recipientConfirmation.unsubscribe(token),
        ),
      ),
  })

  return [confirm, unsubscribe]
}

/** Nobody needs an active workspace to get no more mail. */
const evenIfSuspended = <T>(work: () => Promise<T>): Promise<T> => withContext({ refusesSuspended: false }, work)

async function render(token: string, done: boolean, details: () => Promise<LinkDetails>): Promise<PageResult> {
  try {
    const { address, workspace = null, subscribed } = await details()
    return { data: { token, done, address, workspace, subscribed, broken: null }, headers: NO_STORE }
  } catch (error) {
    if (!Problem.is(error) || error.code !== 'bad_notification_link') throw error
    return { data: { broken: error.wording }, status: error.status, headers: NO_STORE }
  }
}
