import test from 'ava'
import { defineModule } from '../../../kernel/index.ts'
import { inOrder, unknownPermission, wiringProblems } from '../../../kernel/recipe/graph.ts'

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    testCounter: { next(): number }
    testReader: { read(): number }
  }
}

const counter = defineModule({
  name: 'counter',
  needs: ['clock'],
  provides: { testCounter: ({ clock }) => ({ next: () => clock.now() + 1 }) },
})
const reader = defineModule({
  name: 'reader',
  needs: ['testCounter'],
  provides: { testReader: ({ testCounter }) => ({ read: () => testCounter.next() }) },
})
const named = (...modules: ReturnType<typeof defineModule>[]) => modules.map(module => ({ key: module.name, module }))

test('orders modules by their needs, regardless of their order in the recipe', t => {
  t.deepEqual(
    inOrder(named(reader, counter)).map(({ key }) => key),
    ['counter', 'reader'],
  )
})

test('suggests the module that provides a missing port', t => {
  const [problem] = wiringProblems(named(reader), named(counter))
  t.is(problem?.key, 'reader')
  t.regex(problem?.message ?? '', /needs port "testCounter"/)
  t.regex(problem?.fix ?? '', /Add counter: \{\} to modules/)
})

test('suggests the nearest name for a misspelled port', t => {
  const [problem] = wiringProblems(named(counter, defineModule({ name: 'x', needs: ['testCountre' as 'testCounter'] })))
  t.is(problem?.fix, 'Did you mean "testCounter"?')
})

test('names both providers of a port, including the kernel', t => {
  const second = defineModule({ name: 'second', provides: { testCounter: () => ({ next: () => 1 }) } })
  const thief = defineModule({ name: 'thief', provides: { clock: () => ({ now: () => 0 }) } })
  const messages = wiringProblems(named(counter, second, thief)).map(({ message }) => message)
  t.deepEqual(messages, [
    'Port "testCounter" is provided by both "counter" and "second"',
    'Port "clock" is provided by both the kernel and "thief"',
  ])
})

test('reports a cycle once, with its path', t => {
  const a = defineModule({ name: 'a', needs: ['testReader'], provides: { testCounter: () => ({ next: () => 1 }) } })
  const b = defineModule({ name: 'b', needs: ['testCounter'], provides: { testReader: () => ({ read: () => 1 }) } })
  const problems = wiringProblems(named(a, b))
  t.is(problems.length, 1)
  t.is(problems[0]?.message, 'Circular dependency: a → b → a')
})

test('rejects a permission, role, event or section that two modules declare', t => {
  const one = defineModule({
    name: 'one',
    permissions: { 'a.b.read': 'Read' },
    roles: { r: { name: 'R', permissions: ['a.*'] } },
  })
  const two = defineModule({
    name: 'two',
    permissions: { 'a.b.read': 'Read' },
    roles: { r: { name: 'R', permissions: ['a.b.*'] } },
  })
  t.deepEqual(
    wiringProblems(named(one, two)).map(({ message }) => message),
    [
      'Duplicate permission "a.b.read": declared by both "one" and "two"',
      'Duplicate role "r": declared by both "one" and "two"',
    ],
  )
})

test('rejects a role with an unknown permission', t => {
  const loose = defineModule({
    name: 'loose',
    permissions: { 'a.thing.read': 'Read' },
    roles: { r: { name: 'R', permissions: ['a.thing.raed' as 'a.thing.read'] } },
  })
  const [problem] = wiringProblems(named(loose))
  t.regex(problem?.message ?? '', /Unknown permission "a\.thing\.raed" in role "r"/)
  t.is(problem?.fix, 'Did you mean "a.thing.read"?')
})

test('suggests no permission of another module for one of a module that is missing', t => {
  const known = ['forms.submission.read', 'identity.member.read']
  const hint = 'No module of this recipe has permissions of "billing": add the module, or remove the permission'
  t.is(unknownPermission('r', 'billing.subscription.read', known).fix, hint)
  t.is(unknownPermission('r', 'form.submission.read', known).fix, 'Did you mean "forms.submission.read"?')
})
