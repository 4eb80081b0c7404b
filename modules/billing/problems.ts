import { common, defineProblems, defineReasons, Type } from '@larder-dev/larder/kernel'
import { defineOperatorErrors } from '@larder-dev/larder/kernel/internal'

/** Fields of `EntitlementStatus` that a refusal contains. */
const exceeded = {
  key: Type.String(),
  limit: Type.Number(),
  used: Type.Number(),
  requested: Type.Number(),
  upgrade: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), { description: 'Keys of plans that would allow it, cheapest first' }),
  ),
}

export const problems = defineProblems({
  not_a_webhook: [400, "The body isn't an event of the payment provider."],
  unreadable_event: [400, "The signature is valid, but the event can't be read."],
  entitlement_exceeded: [403, "Your plan's limit for {name} is reached. Upgrade to continue.", exceeded],
  unknown_entitlement: [404, "Entitlement {key} doesn't exist."],
  insufficient_credits: [
    409,
    'Insufficient credits: {balance} of {name} left, {amount} required.',
    { key: Type.String(), requested: Type.Number(), balance: Type.Number() },
  ],
  customer_not_found: [422, 'The step grants credits to somebody who is no customer of this product.'],
  no_provider: [503, "Payments aren't set up. Configure a payment provider first."],
  provider_failed: [502, 'The payment provider declined the request. Nothing has changed.'],
  not_in_development: [409, 'Only the development provider can advance time.'],
})

/** What people read who can see how much they have used. */
export const exceededReasons = defineReasons(problems.entitlement_exceeded, {
  not_included: "Your plan doesn't include {name}.",
  used: 'You have used {used} of {limit} {name}.',
  used_today: 'You have used {used} of {limit} {name} today.',
  used_this_month: 'You have used {used} of {limit} {name} this month.',
})

/** Reasons why the subscription's state doesn't allow a change. */
export const stateProblems = defineReasons(common.invalid_state, {
  same_plan: 'The plan is already {plan}.',
  same_plan_ends: 'This workspace has the plan {plan} until the period ends. Resume the subscription to keep it.',
  unpaid: 'Pay or cancel the current subscription before you buy another plan.',
  cancellation_scheduled: 'The subscription is already scheduled to end.',
  nothing_to_cancel: 'There is no subscription to cancel.',
  no_trial: 'There is no trial to extend.',
  trial_over: 'The trial is over. Change the plan instead.',
  nothing_to_resume: 'There is no canceled subscription to resume.',
  changed: 'The subscription has changed meanwhile. Reload it and try again.',
  no_purchases: 'No purchases yet, so there is no billing portal.',
})

/** Errors that stop a start. */
export const operatorErrors = defineOperatorErrors({
  dev_provider_in_production: [
    'The payment provider is `dev`, which accepts every checkout, and NODE_ENV is production.',
    'Configure Stripe, or set `dev.inProduction` to true in the options of billing.',
  ],
})
