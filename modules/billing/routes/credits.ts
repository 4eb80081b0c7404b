import {
  type Clock,
  common,
  type Deps,
  idPattern,
  invalidField,
  listOf,
  listQuery,
  NameOf,
  Nullable,
  named,
  OneOf,
  reply,
  route,
  Time,
  Type,
  together,
  wording,
} from '@larder-dev/larder/kernel'
import { ENTRY_KINDS } from '../domain/credit-ledger.ts'
import { nameOf } from '../domain/plans.ts'
import { workspaceOf } from '../domain/subject.ts'
import { problems } from '../problems.ts'
import { EntitlementKey } from '../recipe/sections.ts'
import { LedgerEntry } from '../records.ts'
import type { BillingServices } from '../services.ts'

export const Reason = NameOf(200)
const Reference = Type.String({ minLength: 1, maxLength: 200, description: 'Your own id, for example of an order' })
export const CreditKey = Type.Unsafe<string>({ ...EntitlementKey, examples: ['ai.credits'] })
export const MAX_AMOUNT = 1_000_000_000
export const ExpiresAt = Type.Optional(Nullable(Type.String({ format: 'date-time', maxLength: 40 })))

const CreditBalance = named(
  'CreditBalance',
  Type.Object({
    key: Type.String(),
    name: Nullable(Type.String()),
    unit: Nullable(Type.String()),
    balance: Type.Integer(),
    nextExpiry: Nullable(
      named(
        'CreditExpiry',
        Type.Object({ amount: Type.Integer(), expiresAt: Time }, { description: 'The credits that expire first' }),
      ),
    ),
  }),
)
const GrantBody = Type.Object(
  {
    key: CreditKey,
    amount: Type.Integer({
      minimum: -MAX_AMOUNT,
      maximum: MAX_AMOUNT,
      description: 'Only an adjustment may be negative',
    }),
    reason: Reason,
    kind: Type.Optional(
      OneOf(['grant', 'refund', 'adjust'], {
        description: 'Defaults to grant. A refund requires the id of the consumption in `reference`',
      }),
    ),
    reference: Type.Optional(Reference),
    expiresAt: ExpiresAt,
    tenantId: Type.Optional(Type.String({ pattern: idPattern('ten'), description: "Defaults to the caller's tenant" })),
  },
  { examples: [{ key: 'ai.credits', amount: 100, reason: 'Promotion' }] },
)
/** In a product of people. */
export const MemberId = Type.Optional(
  Type.String({ pattern: idPattern('mem'), description: 'The customer; the workspace by default' }),
)
const GrantPersonBody = Type.Object({ ...GrantBody.properties, memberId: MemberId })
const ConsumeBody = Type.Object(
  {
    key: CreditKey,
    amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT }),
    reason: Reason,
    reference: Type.Optional(Reference),
  },
  { examples: [{ key: 'ai.credits', amount: 1, reason: 'Image generation', reference: 'image-7' }] },
)

type RouteDeps = Deps<'database' | 'systemDatabase' | 'clock'> &
  Pick<BillingServices, 'credits' | 'creditHistory' | 'subjects' | 'tenants' | 'translator'>

/** Null for credits that don't expire. */
export function parseExpiry({ expiresAt }: { readonly expiresAt?: string | null }, clock: Clock): number | null {
  if (!expiresAt) return null
  const time = Date.parse(expiresAt)
  if (time <= clock.now()) throw invalidField('/expiresAt', 'past', wording('must be in the future'))
  return time
}

export function creditRoutes(deps: RouteDeps) {
  const { database, systemDatabase, clock, credits, creditHistory, subjects, tenants, translator } = deps

  const balances = route({
    method: 'get',
    path: '/billing/credits',
    operationId: 'listCreditBalances',
    summary: 'Lists the credit balances.',
    allow: 'billing.credit.read',
    replies: { 200: listOf(CreditBalance) },
    async handle({ tenantId, caller, request }) {
      const translate = translator.forRequest(request)
      const all = await creditHistory.balances(subjects.ofCaller({ tenantId, caller }))
      return { data: all.map(one => ({ ...one, name: translate(nameOf(one)) })), nextCursor: null }
    },
  })

  const transactions = route({
    method: 'get',
    path: '/billing/credits/transactions',
    operationId: 'listCreditTransactions',
    summary: 'Lists the entries of the credit ledger, newest first. The ledger is append-only.',
    allow: 'billing.credit.read',
    query: listQuery(),
    filters: { key: EntitlementKey, kind: OneOf(ENTRY_KINDS) },
    replies: { 200: listOf(LedgerEntry) },
    handle: ({ tenantId, caller, query, filters }) =>
      creditHistory.list(subjects.ofCaller({ tenantId, caller }), { ...query, ...filters }),
  })

  const grant = route({
    method: 'post',
    path: '/billing/credits',
    operationId: 'grantCredits',
    summary: 'Grants, refunds or adjusts credits of a workspace.',
    allow: 'billing.credit.grant',
    body: subjects.arePeople ? GrantPersonBody : GrantBody,
    replies: { 201: LedgerEntry },
    problems: [common.not_found, problems.insufficient_credits],
    // The workspace may differ from that of the request.
    unit: 'own',
    async handle({ tenantId: ownTenantId, body, caller }) {
      const { tenantId = ownTenantId, key, amount, kind = 'grant', reason, reference = null } = body
      if (kind !== 'adjust' && amount < 1) throw invalidField('/amount', 'too_small', wording('must be at least 1'))
      if (amount === 0) throw invalidField('/amount', 'too_small', wording('must not be 0'))
      credits.assertCreditKey(key)
      const expiresAt = parseExpiry(body, clock)
      const actor = { kind: caller.kind, id: caller.principalId }
      const details = { reason, reference, source: null, actor }
      const subject =
        'memberId' in body && typeof body.memberId === 'string'
          ? await tenants.member(body.memberId)
          : workspaceOf(tenantId)
      const entry = await systemDatabase
        .acrossTenants('operators grant credits to any tenant')
        .transaction(async unit => {
          const write = () => {
            if (kind === 'adjust') return credits.adjust(unit, subject, { ...details, key, amount })
            if (kind === 'refund')
              return credits.refund(unit, subject, { ...details, key, amount, entryId: reference ?? '' }, '/reference')
            return credits.grant(unit, subject, { ...details, key, amount, expiresAt })
          }
          const exists = subject.tenantId === ownTenantId ? undefined : tenants.assertExists(subject.tenantId)
          return (await together({ tenant: exists, entry: write() })).entry
        })
      return reply(201, entry)
    },
  })

  const consume = route({
    method: 'post',
    path: '/billing/credits/consume',
    operationId: 'consumeCredits',
    summary: 'Consumes credits, in order of their expiry. Each Idempotency-Key consumes once.',
    allow: 'billing.credit.consume',
    body: ConsumeBody,
    replies: { 201: LedgerEntry },
    problems: [problems.insufficient_credits],
    idempotent: 'required',
    async handle({ tenantId, body, caller, request }) {
      const { key, amount, reason, reference = null } = body
      const actor = { kind: caller.kind, id: caller.principalId }
      const source = `consume:${caller.principalId}:${request.headers['idempotency-key']}`
      const details = { reason, reference, source, actor }
      return reply(
        201,
        await credits.consume(database.tenant(tenantId), subjects.ofCaller({ tenantId, caller }), {
          ...details,
          key,
          amount,
        }),
      )
    },
  })

  return [balances, transactions, grant, consume]
}
