import { common, defineProblems, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  not_a_webhook: [400, 'The body is no event of the payment provider.'],
  entitlement_exceeded: [403, 'This is more than the plan allows of {key}.'],
  unknown_entitlement: [404, 'There is no entitlement {key}.'],
  insufficient_credits: [409, 'There are {balance} credits of {key} left, which is less than {amount}.'],
  idempotency_key_required: [400, 'Send an Idempotency-Key: what is drawn twice by mistake is gone.'],
  no_provider: [503, 'Nothing can be bought here yet: no payment provider is set.'],
  provider_failed: [502, 'The payment provider did not take this. Nothing has changed.'],
  not_in_development: [409, 'Time can be walked with the development provider alone.'],
})

/** 422 for one field of the body, for rules that a schema can't express. */
export const invalidField = (pointer: string, code: string, detail: string): Problem =>
  common.validation_failed({}, { errors: [{ pointer, code, detail }] })
