import test from 'ava'
import { pino } from 'pino'
import { createSecrets } from '../../../kernel/base/secrets.ts'
import { common } from '../../../kernel/index.ts'
import { sealedValues } from '../../../kernel/records/sealed-values.ts'

const COLUMN = { table: 'things', column: 'token', purpose: 'token', key: ['id'] }

function setUp() {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(line) })
  const valuesOf = (secret: string) => sealedValues({ secrets: createSecrets([secret.repeat(32)]), log }, COLUMN)
  return { lines, current: valuesOf('n'), lost: valuesOf('o') }
}

test('opens what was sealed, and logs nothing', t => {
  const { lines, current } = setUp()
  const sealed = current.seal('plain')
  t.false(sealed.includes('plain'))
  t.is(current.open(sealed, common.conflict), 'plain')
  t.deepEqual(lines, [])
})

test('throws the problem for a value of a lost secret, and logs which one it is', t => {
  const { lines, current, lost } = setUp()
  const sealed = lost.seal('plain')
  t.throws(() => current.open(sealed, common.conflict, { tenantId: 'ten_1' }), {
    message: 'Conflicts with existing data.',
  })
  t.is(current.tryOpen(sealed), undefined)
  t.is(lines.length, 2)
  t.like(JSON.parse(lines[0] ?? ''), { purpose: 'token', tenantId: 'ten_1' })
})
