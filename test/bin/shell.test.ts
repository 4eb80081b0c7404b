import test from 'ava'
import { oneLine, table } from '../../bin/shell.ts'

test('pads columns to their widest cell', t => {
  t.is(
    table(
      ['name', 'n'],
      [
        ['a', '1'],
        ['longer', '22'],
      ],
    ),
    'name    n\na       1\nlonger  22',
  )
})

test('removes control characters from cells', t => {
  t.is(oneLine('a\nb\u001b[2Jc\u0007'), 'a b [2Jc ')
})
