import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

interface Place {
  file: string
  line: number
  code: string
}

const folder = fileURLToPath(new URL('test/must-not-compile/', packageRoot))
const files = readdirSync(folder).filter(file => file.endsWith('.ts'))

/** `// expect: TS2339 description`, on a line above the statement that the compiler must reject. */
const mistakes = files.flatMap(file =>
  readFileSync(`${folder}${file}`, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const [, code, title] = /^\s*\/\/ expect: (TS\d+) (.+)$/.exec(text) ?? []
      return code && title ? [{ file, line: index + 1, code, title }] : []
    }),
)

/** The mistake of an error: the last one marked above it. */
const mistakeOf = ({ file, line }: Place) => mistakes.findLast(mistake => mistake.file === file && mistake.line < line)

let errors: Place[] = []
test.before('the compiler reads the mistakes', async () => {
  const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', packageRoot))
  const { stdout } = await promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder }).catch(
    (failed: { stdout: string }) => failed,
  )
  errors = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)].map(([, file, line, code]) => ({
    file: file as string,
    line: Number(line),
    code: code as string,
  }))
})

for (const mistake of mistakes)
  test(`reports an error if ${mistake.title}`, t => {
    const found = errors.filter(error => mistakeOf(error) === mistake)
    t.deepEqual(
      found.map(({ code }) => code),
      [mistake.code],
    )
  })

test('reports no other errors', t => {
  t.deepEqual(
    errors.filter(error => !mistakeOf(error)),
    [],
  )
  t.true(files.includes('right.ts'))
  t.true(mistakes.length >= 20)
})
