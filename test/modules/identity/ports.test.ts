/** The ports of people and workspaces, for code. */
import test from 'ava'
import { peopleOf } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel } = withPeople(test, {
  recipe: { plans: { free: { name: 'Free', price: 0 } }, modules: { identity: {}, comms: {}, billing: {} } },
  // A plan and the roles of billing would appear in every workspace.
  alone: true,
})

test('IDs of members resolve to addresses, those of other workspaces and former members to nobody', async t => {
  const people = peopleOf(kernel)
  const ada = await people.person('Ada')
  const bob = await people.colleague(ada, ['tenant.member'], 'Bob')
  const eve = await people.person('Eve')
  const { body } = await ada.get('/v1/identity/members?limit=50')
  const stranger = (await eve.get('/v1/identity/members')).body.data[0]?.id ?? ''
  const ids = [...body.data.map(({ id }) => id), stranger, 'mem_none']
  const port = kernel.kernel.ports.people
  const found = await port.byMemberIds(ada.tenantId, ids)
  t.deepEqual(found.map(({ name, email }) => [name, email]).sort(), [
    ['Ada', ada.email],
    ['Bob', bob.email],
  ])
  const idOfBob = body.data.find(({ userId }) => userId === bob.userId)?.id ?? ''
  t.like(await port.byMemberIds(ada.tenantId, [idOfBob]), [{ memberId: idOfBob, userId: bob.userId }])
  t.is((await ada.delete(`/v1/identity/members/${idOfBob}`)).status, 204)
  t.deepEqual(await port.byMemberIds(ada.tenantId, [idOfBob]), [])
  t.deepEqual(await port.byMemberIds(ada.tenantId, []), [])
  t.like(await port.byUserIds([bob.userId, 'usr_none']), [{ email: bob.email }])
  t.like(await port.findEverywhere({ words: eve.email, limit: 5 }), [{ userId: eve.userId }])
})

test('the workspaces of the installation are listed in pages, with plan and suspension, also inside a unit', async t => {
  const { tenantId } = await kernel.register('zoe-of-the-list@example.test')
  await kernel.register('yan-of-the-list@example.test')
  const { tenantDirectory, database } = kernel.kernel.ports
  const seen: string[] = []
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await tenantDirectory.list({ limit: 1, ...(cursor && { cursor }) })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  }
  t.true(seen.includes(tenantId))
  t.is(new Set(seen).size, seen.length)
  t.deepEqual(seen, seen.toSorted().reverse())
  const [found] = await database
    .tenant(kernel.kernel.ports.operator.tenantId)
    .transaction(() => tenantDirectory.byIds([tenantId, 'ten_none']))
  t.like(found, { id: tenantId, planKey: 'free', suspendedAt: null })
  t.like((await tenantDirectory.list({ words: found?.slug ?? '' })).data, [{ id: tenantId }])
  t.deepEqual(await tenantDirectory.byIds([]), [])
})
