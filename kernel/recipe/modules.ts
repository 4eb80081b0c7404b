/** Finds and loads modules: those of Larder by name, those of a team by where the recipe says they are. */

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeRoot } from '../base/index.ts'
import { type Definition, isDefinition } from '../contract/index.ts'
import { importPackage } from './bundle.ts'
import { importFile } from './import.ts'
import { shortPath } from './render.ts'
import { fileHref, importShipped, shippedNames } from './shipped-modules.ts'

/** The modules that Larder brings. */
export interface ModuleFinder {
  names(): readonly string[]
  load(name: string): Promise<Definition>
}

/** @param folder holds a folder per module, with `module.ts` in it or what was built of it. */
export function createModuleFinder(folder: URL = new URL('modules/', codeRoot)): ModuleFinder {
  return {
    names: () => shippedNames(folder),
    load: async name => moduleOf(await importShipped(name, folder), `the module ${name} of Larder`, 'module'),
  }
}

/** A module that cannot be had, as a sentence. */
export class ModuleLoadError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

/** @param use of the recipe. @param folder of the file in which it stands. Throws Unusable. */
export async function loadUsed(use: string, folder: string, role: Definition['role']): Promise<Definition> {
  const isPath = /^(\.{1,2}\/|\.{1,2}$|\/)/.test(use)
  const file = isPath ? locate(resolve(folder, use), use) : undefined
  const name = file ? shortPath(file) : `the package ${use}`
  try {
    return moduleOf(await (file ? importFile(fileHref(file)) : importPackage(use, folder)), name, role)
  } catch (error) {
    if (error instanceof ModuleLoadError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ModuleLoadError(`${name} cannot be loaded: ${reason}`, isPath ? undefined : WHERE, error)
  }
}

const WHERE = 'a path begins with ./ or ../; a package is installed with npm install'
const NAMES = ['module', 'index'].flatMap(name => ['.ts', '.mts', '.js', '.mjs'].map(ending => name + ending))

function locate(path: string, use: string): string {
  if (!existsSync(path))
    throw new ModuleLoadError(`there is no '${use}' (${shortPath(path)})`, 'larder module new NAME makes a module')
  if (statSync(path).isFile()) return path
  const found = NAMES.map(name => resolve(path, name)).find(file => existsSync(file))
  if (!found)
    throw new ModuleLoadError(
      `the folder '${use}' has no module.ts or module.js`,
      'it holds export default defineModule({ … })',
    )
  return found
}

function moduleOf(exports: Record<string, unknown>, name: string, role: Definition['role']): Definition {
  if (isDefinition(exports.default, role)) return exports.default
  const define = role === 'module' ? 'defineModule' : 'defineService'
  const fault =
    exports.default === undefined ? 'has no default export' : `exports by default what ${define} did not make`
  throw new ModuleLoadError(`${name} ${fault}`, `write export default ${define}({ … })`)
}
