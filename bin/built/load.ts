/**
 * Runs the one file of code that scripts/bundle.mjs makes, and hands V8 what it knows of it from the build: V8 then
 * need not compile it (`cachedData` of https://nodejs.org/docs/latest-v20.x/api/vm.html). Without it, or with what
 * another Node wrote, all works, and starts later.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import type * as contract from '../../kernel/contract.ts'
import type * as testing from '../../kernel/testing.ts'
import type * as program from '../program.ts'

/** What the one file exports: its parts, each run when it is first asked for. */
export interface Code {
  program(): Promise<typeof program>
  contract(): Promise<typeof contract>
  testing(): Promise<typeof testing>
}

const file = join(__dirname, 'code.cjs')
/** What V8 knows of code.cjs. Node's version, and the kind of processor, are in the name: others cannot use it. */
export const known = join(__dirname, `code-${process.version}-${process.arch}.bin`)

// esbuild writes ASCII alone.
const script = new Script(readFileSync(file, 'latin1'), {
  filename: file,
  cachedData: readKnown(),
})

function readKnown(): Buffer | undefined {
  try {
    return readFileSync(known)
  } catch {
    return undefined
  }
}

type Import = (href: string) => Promise<unknown>
type Evaluate = (module: { exports: object }, require: NodeJS.Require, load: Import, here: string) => void
const module = { exports: {} }
const evaluate = script.runInThisContext() as Evaluate
evaluate(module, createRequire(file), href => import(href), pathToFileURL(file).href)

/** True where V8 took what the build wrote. */
export const wasKnown = script.cachedDataRejected === false
export const code = module.exports as Code
/** What V8 knows by now, the functions that ran among it. */
export const knowledge = (): Buffer => script.createCachedData()
