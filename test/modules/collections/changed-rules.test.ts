/** Two processes of recipes whose rules differ serve one database, as during a rolling update. */
import test from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { colleague, newEmail } from '../identity/fixtures.ts'

const recipe = (rule: object) => ({
  modules: { identity: {}, comms: { from: 'Acme <hello@acme.test>' }, collections: {} },
  collections: {
    notes: {
      fields: {
        title: { type: 'text', required: true },
        level: { type: 'integer', default: 0 },
        published: { type: 'boolean', default: false },
      },
      access: { read: { 'tenant.member': rule } },
    },
  },
})

interface Note {
  id: string
  title: string
}

test('while the rule of a collection changes, each process shows the rows of its own rule, in any order', async t => {
  const former = await startTestKernel({ recipe: recipe({ published: true }) })
  t.teardown(() => former.stop())
  const owner = await former.register(newEmail('ada'))
  const member = (await colleague(former, owner, ['tenant.member'])).person
  for (const [title, published, level] of [
    ['both', true, 3],
    ['former', true, 0],
    ['next', false, 3],
    ['none', false, 0],
  ])
    t.is((await owner.post('/v1/data/notes', { title, published, level })).status, 201)
  const { data: notes } = (await owner.get<{ data: Note[] }>('/v1/data/notes')).body

  const starting = startTestKernel({ recipe: recipe({ level: { gte: 2 } }), database: former.databaseUrl })
  const clientOf = (kernel: typeof former) => kernel.as(member.token, owner.tenantId)
  const titles = async (kernel: typeof former): Promise<string[]> => {
    const { body } = await clientOf(kernel).get<{ data: Note[] }>('/v1/data/notes')
    const read = await Promise.all(
      notes.map(async ({ id, title }) =>
        (await clientOf(kernel).get(`/v1/data/notes/${id}`)).status === 200 ? title : '',
      ),
    )
    t.deepEqual(read.filter(Boolean).sort(), body.data.map(({ title }) => title).sort())
    return body.data.map(({ title }) => title).sort()
  }
  // While the next process starts.
  for (let round = 0; round < 5; round++) t.deepEqual(await titles(former), ['both', 'former'])
  const next = await starting
  t.teardown(() => next.stop())
  for (let round = 0; round < 10; round++) {
    const [old, fresh] = await Promise.all([titles(former), titles(next)])
    t.deepEqual(old, ['both', 'former'])
    t.deepEqual(fresh, ['both', 'next'])
  }
})
