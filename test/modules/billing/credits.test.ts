import test from 'ava'
import type { Person } from '../../../testing/index.ts'
import { codeOf, forgedCursor, type Listed, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, balance, billingRecipe, buy, consume, DAY, grant, ledger } from './fixtures.ts'

const inDays = (days: number) => new Date(clock.now() + days * DAY).toISOString()

const { kernel, clock, people, operator } = withPeople(
  test,
  { recipe: billingRecipe(), clock: true },
  { operator: 'operator' },
)

/** Sums of the entries, the lots and the allocations. */
async function sums({ tenantId }: Person) {
  const { rows } = await kernel.kernel.ports.database.tenant(tenantId).query<Record<string, string>>(
    `select (select coalesce(sum(amount), 0) from billing_credit_entries) as entries,
       (select coalesce(sum(remaining), 0) from billing_credit_lots) as lots,
       (select coalesce(sum(amount), 0) from billing_credit_allocations) as allocations`,
  )
  const { entries, lots, allocations } = rows[0] as Record<string, string>
  return { entries: Number(entries), lots: Number(lots), allocations: Number(allocations) }
}

test('grants the credits of a plan, and writes each consumption to the ledger', async t => {
  const ada = await people.person()
  t.is(await balance(ada), 0)
  await buy(ada, 'team')
  const consumed = await consume(ada, 30, 'k', { reference: 'image 7' })
  t.is(consumed.status, 201)
  t.like(consumed.body, {
    key: 'ai.credits',
    kind: 'consume',
    amount: -30,
    balanceBefore: 100,
    balanceAfter: 70,
    reason: 'image',
    reference: 'image 7',
  })
  t.is(await balance(ada), 70)
  t.deepEqual(
    (await ledger(ada)).map(({ kind, amount }) => [kind, amount]),
    [
      ['consume', -30],
      ['grant', 100],
    ],
  )
})

test('consumes once per Idempotency-Key, even after the stored reply has expired', async t => {
  const ada = await people.person()
  await grant(operator, ada, 10)
  const first = await consume(ada, 4, 'same')
  const again = await consume(ada, 4, 'same')
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is(again.body.id, first.body.id)
  t.is(codeOf(await consume(ada, 5, 'same')), '422 idempotency_mismatch')
  await kernel.kernel.ports.database.tenant(ada.tenantId).query('delete from larder_idempotency')
  t.is((await consume(ada, 4, 'same')).body.id, first.body.id)
  await kernel.kernel.ports.database.tenant(ada.tenantId).query('delete from larder_idempotency')
  t.is(codeOf(await consume(ada, 5, 'same')), '422 idempotency_mismatch')
  t.is(await balance(ada), 6)
  const bare = await ada.post(`${BILLING}/credits/consume`, { key: 'ai.credits', amount: 1, reason: 'x' })
  t.is(codeOf(bare), '400 idempotency_key_required')
})

test('exactly one of 100 concurrent consumers gets the last credit', async t => {
  const ada = await people.person()
  await grant(operator, ada, 1)
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => consume(ada, 1, `last ${i}`)))
  t.is(answers.filter(({ status }) => status === 201).length, 1)
  t.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [201, 409])
  const lost = answers.find(({ status }) => status === 409) as (typeof answers)[number]
  t.like(problem(lost), { code: 'insufficient_credits', key: 'ai.credits', requested: 1, balance: 0 })
  t.is(await balance(ada), 0)
  t.deepEqual(await sums(ada), { entries: 0, lots: 0, allocations: 1 })
})

test('keeps exact balances under concurrent grants and consumptions', async t => {
  const ada = await people.person()
  await grant(operator, ada, 500, inDays(1))
  await Promise.all([
    ...Array.from({ length: 60 }, (_, i) => consume(ada, (i % 7) + 1)),
    ...Array.from({ length: 6 }, (_, i) => grant(operator, ada, 10, inDays(i + 1))),
  ])
  const entries = (await ledger(ada)).reverse()
  t.is(entries.length, 67)
  for (const [i, entry] of entries.entries()) {
    t.is(entry.balanceBefore, entries[i - 1]?.balanceAfter ?? 0)
    t.is(entry.balanceAfter, entry.balanceBefore + entry.amount)
  }
  const { entries: sum, lots } = await sums(ada)
  t.is(sum, lots)
  t.is(await balance(ada), sum)
})

test('consumes the credits that expire first, and stores their grants', async t => {
  const ada = await people.person()
  const late = await grant(operator, ada, 5, inDays(9))
  const soon = await grant(operator, ada, 5, inDays(2))
  await grant(operator, ada, 5)
  const { body } = await consume(ada, 7)
  const { rows } = await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query<{ grant_id: string; amount: string }>(
      'select grant_id, amount from billing_credit_allocations where entry_id = $1',
      [body.id],
    )
  t.deepEqual(Object.fromEntries(rows.map(row => [row.grant_id, Number(row.amount)])), { [soon.id]: 5, [late.id]: 2 })
})

test('writes off expired credits before balances are read or consumed', async t => {
  const ada = await people.person()
  await grant(operator, ada, 5)
  await grant(operator, ada, 8, inDays(3))
  const { body } = await ada.get<Listed<{ nextExpiry: { amount: number } }>>(`${BILLING}/credits`)
  t.is(body.data[0]?.nextExpiry.amount, 8)
  await operator.post(`${BILLING}/dev/advance`, { tenantId: ada.tenantId, days: 2 })
  t.is(await balance(ada), 13)
  await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query("update billing_credit_lots set expires_at = expires_at - interval '25 hours'")
  t.is(codeOf(await consume(ada, 6)), '409 insufficient_credits')
  t.is(await balance(ada), 5)
  t.like((await ledger(ada))[0], { kind: 'expire', amount: -8, balanceAfter: 5, reason: 'expired' })
  t.deepEqual(await sums(ada), { entries: 5, lots: 5, allocations: 8 })
})

test('refunds at most the consumed amount, and adjusts balances', async t => {
  const ada = await people.person()
  await grant(operator, ada, 10, inDays(2))
  const { body: consumption } = await consume(ada, 6)
  const refund = (amount: number, reference = consumption.id) =>
    operator.post(`${BILLING}/credits`, {
      tenantId: ada.tenantId,
      key: 'ai.credits',
      kind: 'refund',
      amount,
      reason: 'image was blurred',
      reference,
    })
  t.like((await refund(4)).body, { kind: 'refund', amount: 4, balanceAfter: 8, reference: consumption.id })
  t.is(problem(await refund(3)).errors?.[0]?.pointer, '/amount')
  t.like(problem(await refund(1, 'image 7')).errors?.[0], { pointer: '/reference', code: 'unknown_entry' })
  t.is((await refund(2)).status, 201)
  const adjust = (amount: number) =>
    operator.post(`${BILLING}/credits`, {
      tenantId: ada.tenantId,
      key: 'ai.credits',
      kind: 'adjust',
      amount,
      reason: 'correction',
    })
  t.like((await adjust(-3)).body, { kind: 'adjust', amount: -3, balanceAfter: 7 })
  t.like((await adjust(5)).body, { kind: 'adjust', amount: 5, balanceAfter: 12 })
  t.is(codeOf(await adjust(-13)), '409 insufficient_credits')
  t.deepEqual(await sums(ada), { entries: 12, lots: 12, allocations: 9 })
})

test('rejects updates and deletes of ledger entries', async t => {
  const ada = await people.person()
  await grant(operator, ada, 10)
  const { database, systemDatabase } = kernel.kernel.ports
  for (const unit of [database.tenant(ada.tenantId), systemDatabase.acrossTenants('a test tries to change the ledger')])
    for (const sql of ['update billing_credit_entries set amount = 1000', 'delete from billing_credit_allocations'])
      await t.throwsAsync(unit.query(sql), { message: /permission denied|append-only/ })
})

test('lists the ledger in pages, newest first, filtered by key and kind', async t => {
  const ada = await people.person()
  for (let i = 1; i <= 5; i++) await grant(operator, ada, i)
  await consume(ada, 1)
  const at = (query: string) => ada.get(`${BILLING}/credits/transactions?${query}`)
  const first = (await at('limit=4')).body
  const rest = (await at(`limit=4&cursor=${first.nextCursor}`)).body
  t.deepEqual(
    [...first.data, ...rest.data].map(({ amount }) => amount),
    [-1, 5, 4, 3, 2, 1],
  )
  t.is(rest.nextCursor, null)
  t.is((await at('filter[kind]=consume')).body.data.length, 1)
  t.is((await at('filter[key]=nothing')).body.data.length, 0)
  const forged = forgedCursor('get /billing/credits/transactions', ['x'])
  t.is(codeOf(await at(`cursor=${forged}`)), '400 invalid_cursor')
  t.is(codeOf(await at('filter[owner]=me')), '400 malformed')
  t.deepEqual((await (await people.person()).get(`${BILLING}/credits/transactions`)).body.data, [])
})

test('rejects invalid grants and consumptions with the path of the error', async t => {
  const ada = await people.person()
  const grant = { key: 'ai.credits', amount: 1, reason: 'x' }
  for (const [change, pointer] of [
    [{ key: undefined }, '/key'],
    [{ key: 'identity.seat' }, '/key'],
    [{ key: 'nobody' }, '/key'],
    [{ amount: 0 }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: 1.5 }, '/amount'],
    [{ amount: '1' }, '/amount'],
    [{ amount: 2_000_000_000 }, '/amount'],
    [{ kind: 'adjust', amount: 0 }, '/amount'],
    [{ kind: 'expire' }, '/kind'],
    [{ reason: ' ' }, '/reason'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: 'soon' }, '/expiresAt'],
    [{ tenantId: 'x' }, '/tenantId'],
    [{ balance: 5 }, '/balance'],
  ] as const) {
    const answer = await operator.post(`${BILLING}/credits`, { ...grant, ...change })
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(change))
    t.is(problem(answer).errors?.[0]?.pointer, pointer, JSON.stringify(change))
  }
  for (const [amount, more] of [
    [0, {}],
    [-1, {}],
    [0.5, {}],
    [1, { key: 'identity.seat' }],
    [1, { reason: '' }],
    [1, { tenantId: ada.tenantId }],
  ] as const)
    t.is(codeOf(await consume(ada, amount, undefined, more)), '422 validation_failed', JSON.stringify([amount, more]))
  t.is(codeOf(await ada.post(`${BILLING}/credits`, grant)), '403 forbidden')
})

test('grants once per Idempotency-Key', async t => {
  const ada = await people.person()
  const order = { tenantId: ada.tenantId, key: 'ai.credits', amount: 3, reason: 'x' }
  const once = { headers: { 'idempotency-key': 'gift' } }
  await operator.post(`${BILLING}/credits`, order, once)
  t.is((await operator.post(`${BILLING}/credits`, order, once)).headers.get('idempotent-replayed'), 'true')
  t.is(await balance(ada), 3)
})
