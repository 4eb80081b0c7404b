/**
 * Runs the files of code that scripts/bundle.mjs makes, and hands V8 what it knows of them from the build: V8 then need
 * not compile them (`cachedData` of https://nodejs.org/docs/latest-v20.x/api/vm.html). Without it, or with what another
 * Node wrote, all works, and starts later.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import type * as contract from '../../kernel/contract.ts'
import type * as testing from '../../kernel/testing.ts'
import type * as program from '../program.ts'

/** What code.cjs exports: its parts, each run when it is first asked for. */
export interface Code {
  program(): Promise<typeof program>
  contract(): Promise<typeof contract>
  testing(): Promise<typeof testing>
}
/** What packages.cjs exports: packages, each run when it is first asked for. */
export type Packages = Readonly<Record<string, () => unknown>>

interface CodeFile<Exports> {
  readonly exports: Exports
  /** Where it is kept what V8 knows of the file. Node's version and the kind of processor are in its name: others cannot use it. */
  readonly known: string
  /** True where V8 took what the build wrote. */
  readonly wasKnown: boolean
  /** What V8 knows by now, the functions that ran among it. */
  knowledge(): Buffer
}
type Require = (name: string) => unknown
type Import = (href: string) => Promise<unknown>
type Evaluate = (module: { exports: object }, require: Require, load: Import, here: string) => void

/** How code.cjs asks for a package that stands in packages.cjs. */
const PACKED = 'packages/'
const read: CodeFile<object>[] = []

function readCode<Exports>(name: string, requireFrom: (outside: Require) => Require): CodeFile<Exports> {
  const file = join(__dirname, `${name}.cjs`)
  const known = join(__dirname, `${name}-${process.version}-${process.arch}.bin`)
  // esbuild writes ASCII alone.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: readKnown(known) })
  const module = { exports: {} }
  const evaluate = script.runInThisContext() as Evaluate
  evaluate(module, requireFrom(createRequire(file)), href => import(href), pathToFileURL(file).href)
  const wasKnown = script.cachedDataRejected === false
  const made = { exports: module.exports as Exports, known, wasKnown, knowledge: () => script.createCachedData() }
  read.push(made as CodeFile<object>)
  return made
}

function readKnown(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

let packed: Packages | undefined
/** Read with the first that is asked for: a check of a recipe needs none. */
export function packages(): Packages {
  packed ??= readCode<Packages>('packages', outside => outside).exports
  return packed
}

/** What of Node takes it milliseconds to load, and few commands use. */
const LATE = [
  'child_process',
  'crypto',
  'dns/promises',
  'fs/promises',
  'http',
  'https',
  'net',
  'stream',
  'stream/promises',
  'timers/promises',
  'tls',
  'zlib',
]

/** The same exports, loaded with the first of them that is asked for. */
function later(name: string, outside: Require): unknown {
  let exports: Readonly<Record<string | symbol, unknown>> | undefined
  const get = (_: object, key: string | symbol) => {
    exports ??= outside(name) as Readonly<Record<string, unknown>>
    return exports[key]
  }
  const ownKeys = () => {
    throw new Error(`${name} is loaded late (bin/built/load.ts): import what is used of it by name`)
  }
  return new Proxy({}, { get, ownKeys })
}

export const code: Code = readCode<Code>('code', outside => name => {
  if (name.startsWith(PACKED)) return packages()[name.slice(PACKED.length)]?.()
  return LATE.some(late => name === `node:${late}`) ? later(name, outside) : outside(name)
}).exports

/** Those that were read by now. */
export const files = (): readonly CodeFile<object>[] => read
