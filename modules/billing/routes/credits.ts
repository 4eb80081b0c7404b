import { common, type Deps, listOf, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { ENTRY_KINDS } from '../domain/credit-ledger.ts'
import { invalidField, problems } from '../problems.ts'
import { EntitlementKey } from '../recipe/sections.ts'
import { CreditBalance, CreditConsumption, CreditGrant, LedgerEntry } from '../schemas.ts'

export function creditRoutes({ billing, database, clock }: Deps<'billing' | 'database' | 'clock'>) {
  const { credits, statement, workspaces } = billing

  const balances = route({
    method: 'get',
    path: '/billing/credits',
    summary: 'What is left of each credit.',
    allow: 'billing.credit.read',
    replies: { 200: listOf(CreditBalance) },
    handle: async ({ tenantId }) => ({ data: await statement.balances(tenantId), nextCursor: null }),
  })

  const transactions = route({
    method: 'get',
    path: '/billing/credits/transactions',
    summary: 'The ledger of credits, newest first. Nothing in it is ever changed.',
    allow: 'billing.credit.read',
    query: listQuery({
      'filter[key]': Type.Optional(EntitlementKey),
      'filter[kind]': Type.Optional(OneOf(ENTRY_KINDS)),
    }),
    replies: { 200: listOf(LedgerEntry) },
    handle: ({ tenantId, query }) => statement.entries(tenantId, query),
  })

  const grant = route({
    method: 'post',
    path: '/billing/credits',
    summary: 'Grants credits to a workspace, gives drawn ones back, or puts a balance right.',
    allow: 'billing.credit.grant',
    body: CreditGrant,
    replies: { 201: LedgerEntry },
    problems: [common.not_found, problems.insufficient_credits],
    unit: 'own',
    async handle({ tenantId: own, body, caller }) {
      const { tenantId = own, key, amount, kind = 'grant', reason, reference = null } = body
      if (kind !== 'adjust' && amount < 1) throw invalidField('/amount', 'too_small', 'must be at least 1')
      if (amount === 0) throw invalidField('/amount', 'too_small', 'must not be 0')
      credits.mustBeCredit(key)
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null
      if (expiresAt !== null && expiresAt <= clock.now())
        throw invalidField('/expiresAt', 'past', 'must lie in the future')
      const note = { reason, reference, source: null, by: { kind: caller.kind, id: caller.principalId } }
      // Another tenant's unit has no place in the caller's own; the system's may stand in any.
      const unit = database.system('the operator grants credits to any tenant')
      const entry = await unit.transaction(async inside => {
        if (tenantId !== own) await workspaces.mustExist(tenantId)
        if (kind === 'adjust') return credits.adjust(inside, tenantId, { ...note, key, amount })
        if (kind === 'refund')
          return credits.refund(inside, tenantId, { ...note, key, amount, entryId: reference ?? '' })
        return credits.grant(inside, tenantId, { ...note, key, amount, expiresAt })
      })
      return reply(201, entry)
    },
  })

  const consume = route({
    method: 'post',
    path: '/billing/credits/consume',
    summary: 'Draws credits, those that expire first. Needs an Idempotency-Key: the same key draws once.',
    allow: 'billing.credit.consume',
    body: CreditConsumption,
    replies: { 201: LedgerEntry },
    problems: [problems.insufficient_credits, problems.idempotency_key_required],
    async handle({ tenantId, body, caller, request }) {
      const idempotencyKey = request.headers['idempotency-key']
      if (idempotencyKey === undefined) throw problems.idempotency_key_required()
      const { key, amount, reason, reference = null } = body
      const by = { kind: caller.kind, id: caller.principalId }
      const source = `consume:${caller.principalId}:${idempotencyKey}`
      return reply(
        201,
        await credits.consume(database.tenant(tenantId), tenantId, { key, amount, reason, reference, source, by }),
      )
    },
  })

  return [balances, transactions, grant, consume]
}
