/** What automations can do with billing. */
import {
  type ActionRecipe,
  action,
  type Deps,
  didYouMean,
  isRecord,
  isWrittenOut,
  literalValue,
  type StepMistake,
  Type,
} from '@larder-dev/larder/kernel'
import { workspaceOf } from './domain/subject.ts'
import { CreditKey, ExpiresAt, MAX_AMOUNT, parseExpiry, Reason } from './routes/credits.ts'
import type { BillingServices } from './services.ts'

type Needs = Deps<'database' | 'clock'> & Pick<BillingServices, 'credits'>

export const actions = {
  grant_credits: action({
    title: { en: 'Grant credits', de: 'Guthaben gutschreiben' },
    description: {
      en: 'Grants credits to the workspace, once',
      de: 'Schreibt dem Workspace einmal Guthaben gut',
    },
    input: Type.Object(
      {
        key: literalValue(CreditKey),
        amount: literalValue(Type.Integer({ minimum: 1, maximum: MAX_AMOUNT })),
        reason: Type.Optional(Reason),
        expiresAt: ExpiresAt,
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ entryId: Type.String(), balance: Type.Integer() }),
    effects: 'database',
    check: ({ key }, recipe) => ({
      mistakes: isWrittenOut(key) ? unknownCredit(key, recipe) : [],
      events: ['billing.credit.granted'],
    }),
    async run({ database, clock, credits }: Needs, input, { tenantId, automation }) {
      const { key, amount, reason = `automation ${automation}` } = input
      credits.assertCreditKey(key)
      const entry = await credits.grant(database.tenant(tenantId), workspaceOf(tenantId), {
        key,
        amount,
        reason,
        reference: null,
        // The step commits once.
        source: null,
        expiresAt: parseExpiry(input, clock),
        actor: { kind: 'system', id: `automation ${automation}` },
      })
      if (!entry) throw new Error('a grant without a source is always written')
      return { entryId: entry.id, balance: entry.balanceAfter }
    },
  }),
}

function unknownCredit(key: string, recipe: ActionRecipe): StepMistake[] {
  const declared = recipe.section('entitlements')
  const credits = isRecord(declared)
    ? Object.entries(declared).flatMap(([name, spec]) => (isRecord(spec) && spec.kind === 'credit' ? name : []))
    : []
  if (credits.includes(key)) return []
  const hint = didYouMean(key, credits) ?? 'Declare it under entitlements with kind: credit'
  return [{ path: ['key'], code: 'unknown_credit', message: `"${key}" is not a credit of this product`, hint }]
}
