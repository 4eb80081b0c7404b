import test from 'ava'
import {
  type ManagedContext,
  type ManagedRemoval,
  type ManagedWrite,
  managedSection,
  managedSections,
} from '../../../kernel/index.ts'

interface Badge {
  readonly key: string
}
type Context = ManagedContext<never, unknown, unknown>

const add = (key: string): ManagedWrite<Badge, Badge> => ({
  kind: 'add',
  declared: { key },
  row: undefined,
  edited: false,
})
const existing = (kind: 'adopt' | 'change', key: string): ManagedWrite<Badge, Badge> => ({
  kind,
  declared: { key },
  row: { key },
  edited: false,
})
const gone = (key: string, release = false): ManagedRemoval<Badge> => ({ row: { key }, release })

function badges(steps: string[], more: { readonly addedFirst?: boolean; readonly name?: string } = {}) {
  const { name = 'badge', ...options } = more
  return managedSection<Context, Badge, Badge>({
    subject: ({ key }) => `${name} ${key}`,
    async diff(_context, lock) {
      steps.push(lock ? `lock ${name}` : `read ${name}`)
      return { writes: [existing('change', 'b'), add('a'), existing('adopt', 'c')], gone: [gone('d'), gone('e', true)] }
    },
    describeWrite: ({ kind }) => ({ detail: kind }),
    describeRemoval: async ({ release }) => (release ? { detail: 'stays' } : { breaks: 'it ends' }),
    write: async (_context, { kind, declared: { key } }) => steps.push(`${kind} ${name} ${key}`),
    remove: async (_context, { row: { key }, release }) =>
      steps.push(`${release ? 'release' : 'delete'} ${name} ${key}`),
    ...options,
  })
}

/** Ports whose transactions are recorded. */
const depsOf = (steps: string[]) => {
  const tenant = (id: string) => ({
    async transaction(work: (unit: object) => Promise<unknown>) {
      steps.push(`begin ${id}`)
      const result = await work({})
      steps.push('commit')
      return result
    },
  })
  return { database: { tenant }, operator: { tenantId: 'ten_1' } } as never
}

test('a plan lists writes in the order of the recipe, then removals, and locks nothing', async t => {
  const steps: string[] = []
  const { plan } = managedSections(badges(steps))
  t.deepEqual(await plan(depsOf(steps), {}, {} as never), [
    { change: 'change', subject: 'badge b', detail: 'change' },
    { change: 'add', subject: 'badge a', detail: 'add' },
    { change: 'add', subject: 'badge c', detail: 'adopt' },
    { change: 'remove', subject: 'badge d', breaks: 'it ends' },
    { change: 'remove', subject: 'badge e', detail: 'stays' },
  ])
  t.deepEqual(steps, ['begin ten_1', 'read badge', 'commit'])
})

test('a section lists additions first if it says so', async t => {
  const { plan } = managedSections(badges([], { addedFirst: true }))
  const changes = await plan(depsOf([]), {}, {} as never)
  t.deepEqual(
    changes.map(({ subject }) => subject),
    ['badge a', 'badge c', 'badge b', 'badge d', 'badge e'],
  )
})

test('a start locks and writes each section in one transaction, what is gone first', async t => {
  const steps: string[] = []
  const { reconcile } = managedSections(badges(steps), badges(steps, { name: 'rank' }))
  await reconcile(depsOf(steps), {}, {} as never)
  const ofSection = (name: string) => [
    `lock ${name}`,
    `delete ${name} d`,
    `release ${name} e`,
    `change ${name} b`,
    `add ${name} a`,
    `adopt ${name} c`,
  ]
  t.deepEqual(steps, ['begin ten_1', ...ofSection('badge'), ...ofSection('rank'), 'commit'])
})
