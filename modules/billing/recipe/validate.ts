import { didYouMean, formatMoney, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { isCurrency } from '@larder-dev/larder/kernel/internal'
import { declaredPlans } from '../domain/plans.ts'
import { type BillingOptions, resolveSettings } from '../options.ts'
import type { RecipePlan, Sections } from './sections.ts'

/**
 * Amounts that Stripe charges are multiples of these: whole ISK and UGX, and dinars without a last digit
 * (https://docs.stripe.com/currencies#special-cases).
 */
const STEPS: Readonly<Record<string, number>> = {
  ISK: 100,
  UGX: 100,
  BHD: 10,
  JOD: 10,
  KWD: 10,
  OMR: 10,
  TND: 10,
}

/** In the smallest unit of the currency. */
const chargedStep = (currency: string): number => STEPS[currency.toUpperCase()] ?? 1

type AddFault = (path: RecipeDiagnostic['path'], message: string, hint?: string) => void
const availableKeys = (names: readonly string[]) =>
  names.length === 0 ? 'none are declared' : `declared: ${names.join(', ')}`

/** Rules that the schemas can't express: known entitlements, a currency for each price, an existing default plan. */
export function validate({
  options,
  sections,
}: ValidatedRecipe<BillingOptions, Sections>): readonly RecipeDiagnostic[] {
  const { entitlements = {} } = sections
  const plans = declaredPlans(sections)
  const faults: RecipeDiagnostic[] = []
  const addFault: AddFault = (path, message, hint) => void faults.push({ path, message, ...(hint && { hint }) })
  const settings = resolveSettings(options)
  for (const option of ['defaultPlan', 'operatorPlan'] as const) {
    const key = settings[option]
    if (key !== undefined && !Object.hasOwn(plans, key) && (option === 'defaultPlan' || key !== settings.defaultPlan))
      addFault(
        ['modules', 'billing', option],
        `there is no plan '${key}'`,
        `add it under plans; ${availableKeys(Object.keys(plans))}`,
      )
  }
  for (const [key, plan] of Object.entries(plans)) {
    validatePlan(key, plan, entitlements, addFault)
    if (plan.credits && key === settings.defaultPlan)
      addFault(['plans', key, 'credits'], 'the default plan has no periods, so these credits would never be granted')
    if (plan.price > 0 && key === settings.defaultPlan)
      addFault(
        ['plans', key, 'price'],
        'the default plan applies to tenants that pay nothing, so it has no price',
        'set price: 0, or name a plan without a price as defaultPlan of modules.billing',
      )
  }
  for (const [key, { kind, period }] of Object.entries(entitlements))
    if (period !== undefined && kind !== 'meter')
      addFault(['entitlements', key, 'period'], `a ${kind} has no period`, 'only a meter has a period')
  if (settings.provider === 'stripe') validateStripe(options, addFault)
  return faults
}

function validatePlan(key: string, plan: RecipePlan, known: Sections['entitlements'], addFault: AddFault): void {
  const names = Object.keys(known)
  for (const name of Object.keys(plan.entitlements ?? {})) {
    if (!Object.hasOwn(known, name))
      addFault(['plans', key, 'entitlements', name], `there is no entitlement '${name}'`, availableKeys(names))
    else if (known[name]?.kind === 'credit')
      addFault(['plans', key, 'entitlements', name], `'${name}' is a credit`, 'move it to credits')
  }
  for (const name of Object.keys(plan.credits ?? {})) {
    if (!Object.hasOwn(known, name))
      addFault(['plans', key, 'credits', name], `there is no entitlement '${name}'`, availableKeys(names))
    else if (known[name]?.kind !== 'credit')
      addFault(
        ['plans', key, 'credits', name],
        `'${name}' is a ${known[name]?.kind}, not a credit`,
        'move it to entitlements',
      )
  }
  if (plan.price > 0 && plan.currency === undefined)
    addFault(['plans', key, 'price'], 'the price has no currency', 'add currency: EUR')
  if (plan.currency !== undefined && !isCurrency(plan.currency))
    addFault(
      ['plans', key, 'currency'],
      `'${plan.currency}' is not a currency of ISO 4217`,
      didYouMean(plan.currency, Intl.supportedValuesOf('currency')) ?? 'use a code such as EUR',
    )
  else if (plan.currency !== undefined) validatePrice(key, plan.price, plan.currency, addFault)
}

/** The payment provider would refuse the checkout. */
function validatePrice(key: string, price: number, currency: string, addFault: AddFault): void {
  const step = chargedStep(currency)
  if (price % step === 0) return
  const [lower, upper] = [Math.floor(price / step) * step, Math.ceil(price / step) * step]
  const shown = [lower, upper].map(amount => `${amount} (${formatMoney('en', amount, currency)})`)
  addFault(
    ['plans', key, 'price'],
    `${price} is ${formatMoney('en', price, currency)}, and the payment provider charges multiples of ${formatMoney('en', step, currency)}`,
    `use ${shown.join(' or ')}`,
  )
}

function validateStripe({ stripe }: BillingOptions, addFault: AddFault): void {
  for (const field of ['secretKey', 'webhookSecret'] as const)
    if (!stripe?.[field]) addFault(['modules', 'billing', 'stripe', field], `stripe requires ${field}`)
}
