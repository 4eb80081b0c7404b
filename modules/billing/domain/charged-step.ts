/**
 * Amounts that Stripe charges are multiples of these: whole ISK and UGX, and dinars without a last digit
 * (https://docs.stripe.com/currencies#special-cases).
 */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ISK: 100, UGX: 100, BHD: 10, JOD: 10, KWD: 10, OMR: 10, TND: 10 },
}

/** In the smallest unit of the currency. */
export const chargedStep = (currency: string): number => STEPS[currency.toUpperCase()] ?? 1
