import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

const docs = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs/')]

function markdownIn(folder: string): string[] {
  return readdirSync(new URL(folder, packageRoot), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => folder + path)
}

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')

/** Relative links of a Markdown text that lead to no file. */
function brokenLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|[#/])([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target]) => target as string)
    .filter(target => !existsSync(new URL(target, new URL(path, packageRoot))))
    .map(target => `${path}: ${target}`)
}

/** Source files that a Markdown text names and that don't exist. */
const missingSources = (path: string, text: string): string[] =>
  [...text.matchAll(/`((?:kernel|services|modules|bin|testing|scripts)\/[\w./-]+\.(?:ts|mjs))`/g)]
    .map(([, source]) => source as string)
    .filter(source => !existsSync(new URL(source, packageRoot)))
    .map(source => `${path}: ${source}`)

test('every relative link in the docs leads to a file', t => {
  t.deepEqual(
    docs.flatMap(path => brokenLinks(path, read(path))),
    [],
  )
})

test('every source file that the docs name exists', t => {
  t.deepEqual(
    ['docs/architecture.md', 'docs/testing.md', ...markdownIn('docs/decisions/')].flatMap(path =>
      missingSources(path, read(path)),
    ),
    [],
  )
})

test('finds a planted broken link and a planted missing source', t => {
  t.deepEqual(brokenLinks('docs/a.md', '[gone](gone.md) [web](https://example.test/)'), ['docs/a.md: gone.md'])
  t.deepEqual(missingSources('docs/a.md', '`kernel/gone.ts` and `kernel/index.ts`'), ['docs/a.md: kernel/gone.ts'])
})
