import test from 'ava'
import fc from 'fast-check'
import { createLinkedQueue, type Links } from '../../../services/postgres/linked-queue.ts'

interface Item extends Links<Item> {
  readonly name: number
}
const itemOf = (name: number): Item => ({ name, previous: undefined, next: undefined })

test('keeps the order of the items, whichever are removed', t => {
  const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.nat(20)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, run => {
      const queue = createLinkedQueue<Item>()
      const items: Item[] = []
      let expected: Item[] = []
      for (const step of run) {
        if (step === 'add') {
          const item = itemOf(items.length)
          items.push(item)
          expected.push(item)
          queue.add(item)
        } else {
          const item = items[step] ?? itemOf(-1)
          t.is(queue.remove(item), expected.includes(item))
          expected = expected.filter(other => other !== item)
          t.is(item.previous, undefined)
          t.is(item.next, undefined)
        }
        t.is(queue.size, expected.length)
        t.is(queue.first, expected[0])
      }
      for (const item of expected) {
        t.is(queue.first, item)
        t.true(queue.remove(item))
      }
      t.is(queue.first, undefined)
    }),
  )
})
