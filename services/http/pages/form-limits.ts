/** Rate limits of forms in page templates. */
import { addressKey, MINUTE, type RateLimit } from '@larder-dev/larder/kernel/internal'

/** Submissions from one address to the forms of all pages, by people who are not signed in. */
export const GUEST_FORM_LIMIT: RateLimit = {
  name: 'page_forms.guests',
  points: 10,
  window: MINUTE,
  by: (_body, ip, _params, caller) => (caller ? undefined : addressKey(ip)),
}
/** Submissions of one login to the forms of all pages. */
export const FORM_LIMIT: RateLimit = { name: 'page_forms', points: 60, window: MINUTE, by: 'principal' }
