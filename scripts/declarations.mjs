// Removes the declarations in dist/ that no entry of the package reaches: nobody can import those.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Imports, also those inside types, and references to files. */
const REFERENCE = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]|<reference path="([^"]+)"/g

export function removeUnreachedDeclarations(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const dist = join(root, 'dist')
  const reached = new Set()
  const visit = path => {
    if (reached.has(path) || !existsSync(path)) return
    reached.add(path)
    for (const [, imported, referenced] of readFileSync(path, 'utf8').matchAll(REFERENCE))
      visit(join(dirname(path), imported ?? referenced).replace(/(?:\.d)?\.[jt]sx?$/, '.d.ts'))
  }
  for (const { types } of Object.values(exports)) if (types) for (const path of filesOf(root, types)) visit(path)
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts') && !reached.has(join(dist, name))) rmSync(join(dist, name))
}

/** `*` in a pattern stands for the name of one folder. */
function filesOf(root, pattern) {
  const [folder, rest] = pattern.split('*')
  if (rest === undefined) return [join(root, pattern)]
  return readdirSync(join(root, folder)).map(name => join(root, folder, name, rest))
}
