/** Rules with alternatives in a large collection. */
import test from 'ava'
import pg from 'pg'
import type { Caller } from '../../../../kernel/index.ts'
import { listStatement, planList } from '../../../../modules/collections/domain/queries/list-query.ts'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'

const ROWS = 100_000
/** Rows of one author or assignee. */
const SHARE = 1000

let memberId: string

const { kernel, owner, member } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      collections: {
        memos: {
          fields: {
            title: { type: 'text' },
            author: { type: 'member' },
            assignee: { type: 'member' },
            state: { type: 'text', index: true },
          },
          access: {
            read: { 'tenant.member': { or: [{ author: '$member' }, { assignee: '$member' }, { state: 'open' }] } },
          },
        },
      },
    },
  },
  { owner: 'owner', member: ['tenant.member'] },
  async () => {
    const { body } = await owner.get<Listed<{ id: string; userId: string }>>('/v1/identity/members')
    memberId = body.data.find(({ userId }) => userId === member.userId)?.id ?? ''
    const database = new pg.Client(kernel.databaseUrl)
    database.on('error', () => {})
    await database.connect()
    await database.query(
      `insert into data_memos (tenant_id, id, title, author, assignee, state)
       select $1, 'memo_' || lpad(i::text, 8, '0'), 'Memo ' || i,
         case when i % $3 = 1 then $2 else 'mem_' || i % 97 end, case when i % $3 = 2 then $2 else 'mem_' || i % 89 end,
         case when i % $3 = 3 then 'open' else 'closed' end
       from generate_series(1, ${ROWS}) i`,
      [owner.tenantId, memberId, SHARE],
    )
    await database.query('analyze data_memos')
    await database.end()
  },
)
test('one statement finds the rows of all alternatives by their indexes', async t => {
  const services = servicesOf(kernel)
  const memos = services.collectionMap.get('memos')
  if (!memos) throw new Error('expected a collection')
  const { tenantId } = owner
  const permissions = ['collections.memos.read']
  const rights = { roles: ['tenant.member'], permissions, can: () => true }
  const caller = { tenantId, memberId, userId: member.userId, ...rights } as unknown as Caller
  const view = services.bareView(caller, tenantId)
  const { text, values } = listStatement(view, planList(view, memos, { sort: 'title' }), {
    limit: 20,
    cursor: undefined,
  })
  const unit = kernel.kernel.ports.database.tenant(tenantId)
  const { rows } = await unit.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  t.notRegex(plan, /Seq Scan/, plan)
  t.regex(plan, /BitmapOr/, plan)
  for (const field of ['author', 'assignee', 'state']) t.regex(plan, new RegExp(`Index Cond: .*\\b${field}\\b`), plan)
})

test('a list has the rows of each alternative', async t => {
  const found = await kernel.all<{ id: string }>(member, '/v1/data/memos?limit=200')
  t.is(found.length, 3 * (ROWS / SHARE))
})
