/** What automations can do with billing. */
import {
  type ActionPerson,
  type ActionRecipe,
  action,
  type Deps,
  didYouMean,
  isRecord,
  isWrittenOut,
  literalValue,
  PersonValue,
  type StepMistake,
  Type,
} from '@larder-dev/larder/kernel'
import { type Subject, workspaceOf } from './domain/subject.ts'
import { problems } from './problems.ts'
import { CreditKey, ExpiresAt, MAX_AMOUNT, parseExpiry, Reason } from './routes/credits.ts'
import type { BillingServices } from './services.ts'

type Needs = Deps<'database' | 'clock' | 'product'> & Pick<BillingServices, 'credits' | 'tenants'>

export const actions = {
  grant_credits: action({
    title: { en: 'Grant credits', de: 'Guthaben gutschreiben' },
    description: {
      en: 'Grants credits to the workspace, or to a customer of a product of people, once',
      de: 'Schreibt dem Workspace, oder in einem Produkt für Personen einem Kunden, einmal Guthaben gut',
    },
    input: Type.Object(
      {
        key: literalValue(CreditKey),
        amount: literalValue(Type.Integer({ minimum: 1, maximum: MAX_AMOUNT })),
        member: Type.Optional({
          ...PersonValue,
          description: 'The customer, in a product of people',
          examples: ['$row.createdBy'],
        }),
        reason: Type.Optional(Reason),
        expiresAt: ExpiresAt,
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ entryId: Type.String(), balance: Type.Integer() }),
    effects: 'database',
    check: ({ key, member }, recipe) => ({
      mistakes: [
        ...(isWrittenOut(key) ? unknownCredit(key, recipe) : []),
        ...(member !== undefined && recipe.audience === 'teams' ? [NO_CUSTOMERS] : []),
      ],
      events: ['billing.credit.granted'],
    }),
    async run({ database, clock, credits, ...deps }: Needs, input, { tenantId, automation }) {
      const { key, amount, member, reason = `automation ${automation}` } = input
      credits.assertCreditKey(key)
      const subject = await subjectOf(deps, tenantId, member)
      const entry = await credits.grant(database.tenant(tenantId), subject, {
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

const NO_CUSTOMERS: StepMistake = {
  path: ['member'],
  code: 'no_customers',
  message: 'In a product of teams, credits belong to the workspace, and not to a member',
  hint: 'Remove this line, or set product.audience: people',
}

async function subjectOf(
  { product, tenants }: Pick<Needs, 'product' | 'tenants'>,
  tenantId: string,
  member: ActionPerson | undefined,
): Promise<Subject> {
  if (member === undefined) return workspaceOf(tenantId)
  const isOfPeople = product.audience === 'people'
  const subject = isOfPeople && member.userId !== null ? await tenants.ofUser(member.userId) : undefined
  if (!subject) throw problems.customer_not_found()
  return subject
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
