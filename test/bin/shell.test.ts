import test from 'ava'
import { oneLine, table } from '../../bin/shell.ts'

test('columns are as wide as their widest cell', t => {
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

test('what a stranger wrote neither breaks the table nor steers the terminal', t => {
  t.is(oneLine('a\nb\u001b[2Jc\u0007'), 'a b [2Jc ')
})
