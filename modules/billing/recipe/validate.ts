import type { RecipeFault, ValidatedRecipe } from 'larder/kernel'
import { type BillingOptions, billingSettings } from '../options.ts'
import type { RecipePlan, Sections } from './sections.ts'

type Say = (path: RecipeFault['path'], message: string, hint?: string) => void
const list = (names: readonly string[]) => (names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`)

/** What the schemas cannot say: plans of unknown entitlements, prices without a currency, a default that is no plan. */
export function validate({ options, sections }: ValidatedRecipe<BillingOptions, Sections>): readonly RecipeFault[] {
  const { entitlements = {}, plans = {} } = sections
  const faults: RecipeFault[] = []
  const say: Say = (path, message, hint) => void faults.push({ path, message, ...(hint && { hint }) })
  const settings = billingSettings(options)
  for (const option of ['defaultPlan', 'operatorPlan'] as const) {
    const key = settings[option]
    if (!Object.hasOwn(plans, key) && (option === 'defaultPlan' || key !== settings.defaultPlan))
      say(
        ['modules', 'billing', option],
        `there is no plan '${key}'`,
        `write it under plans: ${list(Object.keys(plans))}`,
      )
  }
  for (const [key, plan] of Object.entries(plans)) {
    reviewPlan(key, plan, entitlements, say)
    if (plan.credits && key === settings.defaultPlan)
      say(['plans', key, 'credits'], 'the default plan has no periods: these would never be granted')
  }
  for (const [key, { kind, period }] of Object.entries(entitlements))
    if (period !== undefined && kind !== 'meter')
      say(['entitlements', key, 'period'], `a ${kind} has no period`, 'only a meter has one')
  if (settings.provider === 'stripe') reviewStripe(options, say)
  return faults
}

function reviewPlan(key: string, plan: RecipePlan, known: Sections['entitlements'], say: Say): void {
  const names = Object.keys(known)
  for (const name of Object.keys(plan.entitlements ?? {})) {
    if (!Object.hasOwn(known, name))
      say(['plans', key, 'entitlements', name], `there is no entitlement '${name}'`, list(names))
    else if (known[name]?.kind === 'credit')
      say(['plans', key, 'entitlements', name], `'${name}' is a credit`, 'write how many under credits')
  }
  for (const name of Object.keys(plan.credits ?? {})) {
    if (!Object.hasOwn(known, name))
      say(['plans', key, 'credits', name], `there is no entitlement '${name}'`, list(names))
    else if (known[name]?.kind !== 'credit')
      say(
        ['plans', key, 'credits', name],
        `'${name}' is a ${known[name]?.kind}, no credit`,
        'write it under entitlements',
      )
  }
  if (plan.price > 0 && plan.currency === undefined)
    say(['plans', key, 'price'], 'the price has no currency', 'add currency: EUR')
}

function reviewStripe({ stripe }: BillingOptions, say: Say): void {
  for (const field of ['secretKey', 'webhookSecret'] as const)
    if (!stripe?.[field]) say(['modules', 'billing', 'stripe', field], `stripe needs its ${field}`)
}
