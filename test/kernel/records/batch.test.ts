import test from 'ava'
import { batchByName, type Step } from '../../../kernel/index.ts'

const unit = (texts: string[]) => ({
  batch: async (steps: readonly Step[]) =>
    steps.map(([text]) => {
      texts.push(text)
      return { rows: [{ text }], rowCount: 1 }
    }),
})

test('names the results after the statements, and runs these in their order', async t => {
  const texts: string[] = []
  const { lock, found } = await batchByName(unit(texts), { lock: ['lock'], found: ['select'] })
  t.deepEqual([lock.rows, found.rows], [[{ text: 'lock' }], [{ text: 'select' }]])
  t.deepEqual(texts, ['lock', 'select'])
})

test('leaves out undefined statements', async t => {
  const { counted, found } = await batchByName(unit([]), { counted: undefined, found: ['select'] })
  t.is(counted, undefined)
  t.deepEqual(found.rows, [{ text: 'select' }])
})
