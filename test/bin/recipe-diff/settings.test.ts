import test from 'ava'
import { compareValues } from '../../../bin/recipe-diff/settings.ts'

const compare = (before: unknown, after: unknown, described: string[][] = [], shown = [before, after] as const) =>
  compareValues(before, after, shown, described)

test('lists each value that was added, removed or changed by its path', t => {
  const before = { modules: { content: { versions: 1 }, forms: {} }, list: [1] }
  const after = { modules: { content: { versions: 2 } }, list: [1, 2], more: null }
  t.deepEqual(compare(before, after), [
    { change: 'change', subject: 'modules.content.versions', detail: '1 → 2' },
    { change: 'remove', subject: 'modules.forms', detail: '{}' },
    { change: 'change', subject: 'list', detail: '[1] → [1,2]' },
    { change: 'add', subject: 'more', detail: 'null' },
  ])
})

test('leaves out what is described elsewhere', t => {
  const described = [['roles'], ['collections', 'a', 'fields', 'x']]
  const before = { roles: { a: 1 }, collections: { a: { fields: { x: 1, y: 1 } } } }
  const after = { roles: {}, collections: { a: { fields: { x: 2, y: 2 } } } }
  t.deepEqual(compare(before, after, described), [
    { change: 'change', subject: 'collections.a.fields.y', detail: '1 → 2' },
  ])
  t.deepEqual(compare({}, { collections: { a: 1 } }, [['collections', 'a']]), [])
})

test('quotes masked values, and says that a secret is another one', t => {
  const shown = [{ secret: '***' }, { secret: '***' }] as const
  t.deepEqual(compare({ secret: 'a' }, { secret: 'b' }, [], shown), [
    { change: 'change', subject: 'secret', detail: 'another value' },
  ])
})

test('reads keys named like properties of every object', t => {
  t.deepEqual(compare({}, JSON.parse('{ "__proto__": 1, "constructor": 2 }')), [
    { change: 'add', subject: '__proto__', detail: '1' },
    { change: 'add', subject: 'constructor', detail: '2' },
  ])
})
