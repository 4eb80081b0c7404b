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

test('keeps columns readable in a very narrow terminal, and breaks long words', t => {
  const word = 'abcdefghijklmnopqrstuvwxyz'
  const lines = table(['one', 'two'], [[word, word]], 5).split('\n')
  t.deepEqual(lines.slice(1), ['abcdefghijkl  abcdefghijkl', 'mnopqrstuvwx  mnopqrstuvwx', 'yz            yz'])
})

test('wraps the widest cells of a table that exceeds the terminal', t => {
  const rows = [['/v1/platform/modules/:key', 'Returns all registrations of a module.']]
  const lines = table(['path', ''], rows, 40).split('\n')
  t.true(
    lines.every(line => line.length <= 40),
    lines.join('|'),
  )
  t.deepEqual(lines.slice(1), [
    '/v1/platform/        Returns all',
    'modules/:key         registrations of a',
    '                     module.',
  ])
})

test('removes control characters from cells', t => {
  t.is(oneLine('a\nb\u001b[2Jc\u0007'), 'a b [2Jc ')
})
