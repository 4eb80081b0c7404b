/** Finds and loads modules: shipped ones by name, those of a team by path or package. */

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeRoot } from '../base/index.ts'
import { type Definition, isDefinition } from '../contract/index.ts'
import { importPackage } from './bundle.ts'
import { importFile } from './import.ts'
import { shortPath } from './render.ts'
import { fileHref, importShipped, shippedNames } from './shipped-modules.ts'

/** The shipped modules. */
export interface ModuleFinder {
  names(): readonly string[]
  load(name: string): Promise<Definition>
}

/** @param folder contains one folder per module, with `module.ts` or its build. */
export function createModuleFinder(folder: URL = new URL('modules/', codeRoot)): ModuleFinder {
  return {
    names: () => shippedNames(folder),
    load: async name => moduleOf(await importShipped(name, folder), `module ${name}`, 'module'),
  }
}

/** A module can't be loaded. */
export class ModuleLoadError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

/** @param use a path or package name. @param folder of the file that contains it. Throws a ModuleLoadError. */
export async function loadUsed(use: string, folder: string, role: Definition['role']): Promise<Definition> {
  const isPath = /^(\.{1,2}\/|\.{1,2}$|\/)/.test(use)
  const file = isPath ? locate(resolve(folder, use), use) : undefined
  const name = file ? shortPath(file) : `package ${use}`
  try {
    return moduleOf(await (file ? importFile(fileHref(file)) : importPackage(use, folder)), name, role)
  } catch (error) {
    if (error instanceof ModuleLoadError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ModuleLoadError(`Cannot load ${name}: ${reason}`, isPath ? undefined : PATH_OR_PACKAGE, error)
  }
}

const PATH_OR_PACKAGE = 'Start a path with ./ or ../, or install the package with npm install'
const FILE_NAMES = ['module', 'index'].flatMap(name => ['.ts', '.mts', '.js', '.mjs'].map(ending => name + ending))

function locate(path: string, use: string): string {
  if (!existsSync(path))
    throw new ModuleLoadError(`Module not found: ${use} (${shortPath(path)})`, 'Create one with larder module new NAME')
  if (statSync(path).isFile()) return path
  const found = FILE_NAMES.map(name => resolve(path, name)).find(file => existsSync(file))
  if (!found)
    throw new ModuleLoadError(
      `Folder "${use}" has no module.ts or module.js`,
      'Create it with export default defineModule({ … })',
    )
  return found
}

function moduleOf(exports: Record<string, unknown>, name: string, role: Definition['role']): Definition {
  if (isDefinition(exports.default, role)) return exports.default
  const define = role === 'module' ? 'defineModule' : 'defineService'
  const message =
    exports.default === undefined ? `No default export in ${name}` : `The default export of ${name} is not a ${role}`
  throw new ModuleLoadError(message, `Write export default ${define}({ … })`)
}
