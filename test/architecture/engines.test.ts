/** npm warns of each package that does not support the version of Node.js that runs it. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

interface Manifest {
  readonly engines?: { readonly node?: string }
}
const read = (file: string) => JSON.parse(readFileSync(new URL(file, packageRoot), 'utf8'))
type Version = readonly number[]

const numbersOf = (text: string): Version => (text.match(/\d+/g) ?? []).map(Number)
/** Negative if `a` is older. Missing numbers are 0. */
const compare = (a: Version, b: Version): number => {
  for (const at of [0, 1, 2]) if ((a[at] ?? 0) !== (b[at] ?? 0)) return (a[at] ?? 0) - (b[at] ?? 0)
  return 0
}
const startsWith = (version: Version, prefix: Version): boolean => prefix.every((part, at) => part === version[at])

function satisfies(version: Version, comparator: string): boolean {
  const [, operator = '', text = ''] = /^([<>=^~]*)v?(.*)$/.exec(comparator) ?? []
  const wanted = numbersOf(text)
  const order = compare(version, wanted)
  if (operator === '>=') return order >= 0
  if (operator === '>') return order > 0 && !startsWith(version, wanted)
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0 || startsWith(version, wanted)
  if (operator === '^') return order >= 0 && startsWith(version, wanted.slice(0, 1))
  if (operator === '~') return order >= 0 && startsWith(version, wanted.slice(0, 2))
  return startsWith(version, wanted)
}
const supports = (range: string, version: Version): boolean =>
  range.split('||').some(set => {
    const comparators = set
      .trim()
      .replace(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .filter(Boolean)
    return comparators.every(comparator => satisfies(version, comparator))
  })

test('reads ranges of versions', t => {
  const supported = ['>=20.19', '>= 0.4', '^20.19.0 || >=22.12.0', '*', '18 || 20 || >=22', '>=18 <21', '20.x', '']
  t.deepEqual(
    supported.filter(range => !supports(range, [20, 19, 0])),
    [],
  )
  const refused = ['>=20.19.1', '>=22', '^18 || ^22', '<20', '>=18 <20', '^20.20.0', '21.x', '>20']
  t.deepEqual(
    refused.filter(range => supports(range, [20, 19, 0])),
    [],
  )
})

test('every package of the lock file supports the oldest Node.js that Larder supports', t => {
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Manifest>> }
  const oldest = numbersOf(packages['']?.engines?.node ?? '')
  t.deepEqual(oldest, [20, 19])
  const newer = Object.entries(packages).filter(([, { engines }]) => !supports(engines?.node ?? '*', oldest))
  t.deepEqual(
    newer.map(([path, { engines }]) => `${path} ${engines?.node}`),
    [],
  )
})
